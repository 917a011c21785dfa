// A small language for patterns of words in dependency trees:
//
//   V:upos=VERB >nsubj S >obj O        a verb, its subject and its object
//   N:upos=NOUN >amod A ; A .. N       ... and A stands somewhere before N
//   V:lemma=give !>iobj                without an indirect object
//
// A pattern is clauses, separated by ";". A clause is a word and relations of that word to other words. A word is a
// name, conditions after ":" joined by "&", or both; the same name is the same word, different ones are different
// words.
//
//   A >R B    B depends on A, as R       A <R B    A depends on B, as R
//   A >> B    B is below A               A << B    A is below B
//   A . B     B is the next word         A .. B    B stands somewhere after A
//
// R may be left out; "nsubj" is also "nsubj:pass"; "nsubj|csubj" is either; "/.*subj/" a regular expression of the
// whole relation. "!" before a relation: there is no such word. Conditions: form, lemma, upos, xpos, feats, deprel, or
// a feature such as Number; "=" or "!="; values as for R, but exact. Tested by query_test.cc.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/export.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class ESPALIER_API Query {
 public:
  /// Throws a usage Error that says what is wrong and where.
  explicit Query(std::string_view pattern);
  ~Query();
  Query(Query&&) noexcept;

  /// The named words in the order of their first mention, without words that only negations mention.
  const std::vector<std::string>& names() const;
  /// Calls found(words) for every match, where words[i] is the number of the word with names()[i]; every assignment
  /// once, in ascending order.
  void match(const Sentence& sentence, const std::function<void(std::span<const int> words)>& found) const;

  /// A value that the pattern asks for: "upos" "VERB"; for a relation "deprel" "nsubj".
  struct Value {
    std::string column, text;
    bool subtypes = false;  ///< "nsubj" is also "nsubj:pass"
  };
  /// The values without which nothing can match; none for alternatives (a|b).
  std::vector<Value> needed() const;
  /// The value of a column or of a feature; "_" if there is none.
  static std::string_view value_of(const Token& token, std::string_view column);

 private:
  struct Pattern;
  std::unique_ptr<const Pattern> pattern_;
};

}  // namespace espalier
