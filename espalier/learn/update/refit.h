// The last epochs of a training may learn with fewer features (setting `refit`): those that the model will have. What a
// dropped feature knew the others can then learn to say, which they could not if it was dropped after training.
// Averaging begins anew with these epochs, and the best of them is the model. Tested by weights/linear_test.cc and
// learn/transition/transition_trainer_test.cc.
#pragma once

#include "espalier/base/error.h"
#include "espalier/base/settings.h"

namespace espalier {

struct Refit {
  int first_epoch = 0;  ///< from which on there are fewer features; 0 = none
  size_t most_features = 0;

  static Refit from(SettingsReader& s, int epochs) {
    Refit refit;
    const auto last =
        s.integer("refit", 0, 0, 1000, "so many of the epochs, the last ones, learn with the features that stay");
    refit.most_features = s.integer<size_t>("most_features", 0, 0, 1 << 28,
                                            "features that stay at most, largest weights first; 0 = any number");
    if (last >= epochs) throw usage_error("refit={}: must be less than epochs ({})", last, epochs);
    if (last > 0 && !s.values().get("init").empty())
      throw usage_error("refit={}: features of a warm start (--init) are not dropped", last);
    if (last > 0) refit.first_epoch = epochs - last + 1;
    return refit;
  }

  bool begins(int epoch) const { return epoch == first_epoch; }
};

}  // namespace espalier
