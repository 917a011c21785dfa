"""Prints what an installed espalier makes of texts in many languages; two installations must print the same."""

import pathlib
import tempfile

import espalier

TEXTS = {
    "ar": "قرأت الكتاب أمس. هل قرأته أنت؟",
    "cs": "Žluťoučký kůň spí. Prof. Novák odešel v 15.30 hod.",
    "de": "Das kostet z. B. 3,50 €. Dr. Müller kommt am 5. Mai. Gut!",
    "el": "Το δέντρο μεγαλώνει. Τι ώρα είναι; Δεν ξέρω.",
    "en": "Mr. Smith didn't go at 7:30 p.m. on Jan. 5. He said: “No!” It cost $3.50 (approx.).",
    "es": "¿Qué hora es? El Sr. López no lo sabe.",
    "fr": "Aujourd’hui, M. Dupont n’est pas là. Où est-il ?",
    "hi": "पेड़ बढ़ते हैं। क्या तुम घर जा रहे हो?",
    "it": "Il sig. Rossi è all’estero. L'albero cresce.",
    "ja": "吾輩は猫である。名前はまだ無い。ｶﾀｶﾅとカタカナ、１２３円。東京特許許可局へ行きました。",
    "km": "ដើមឈើលូតលាស់។ ខ្ញុំស្រឡាញ់ឆ្មា។",
    "ko": "나무가 자란다. 고양이는 어디에 있습니까?",
    "lo": "ຂ້ອຍຮັກແມວ ຕົ້ນໄມ້ໃຫຍ່",
    "my": "သစ်ပင်ကြီးထွားသည်။ ကြောင်ကိုချစ်သည်။",
    "pt": "A Dra. Silva chegou. Não sei.",
    "ru": "Деревья растут. Проф. Иванов ушёл в 15:30. Почему?",
    "th": "ต้นไม้เติบโต ฉันรักแมวมาก คุณไปไหนมา",
    "zh": "树在生长。我看见了她的鸭子！你去哪里？東京大學。",
}

nlp = espalier.load("en")
for language, text in TEXTS.items():
    # Each language's rules on every text: mixed scripts are where data that is missing would be missed.
    for other, foreign in TEXTS.items():
        doc = nlp.tokenize(foreign, language=language, rules=True)
        print(language, other, [[token.text for token in sent] for sent in doc.sents])
    print(nlp(text).to_conllu())
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "toy.conllu"
    file.write_text(nlp("Trees grow. Time flies. Dogs bark.").to_conllu() * 10, encoding="utf-8")
    trained = espalier.train("greedy", train=file, dev=file, set={"epochs": 2}, progress=False)
    print(trained.model.parse_tokens([["Trees", "grow", "."]]).to_text_tree())
print(espalier.__version__)
