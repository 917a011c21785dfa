"""A transformer that annotates text for small models to learn from: ``python -m espalier.teacher`` (docs/teacher.md).

Needs ``pip install 'espalier[teacher]'``. `espalier` itself imports nothing of it.
"""
