package verify

import "iter"

// Texts iterates over what the scenarios of the catalogue say: the text of each step, and the cells of its table.
// Placeholders stand as they are written, and examples in the place of their parameters.
func (c *Catalogue) Texts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, document := range c.Documents {
			for _, pickle := range document.Pickles {
				for _, step := range pickle.Steps {
					if !yield(step.Text) {
						return
					}
					if step.Argument == nil || step.Argument.DataTable == nil {
						continue
					}
					for _, row := range step.Argument.DataTable.Rows {
						for _, cell := range row.Cells {
							if !yield(cell.Value) {
								return
							}
						}
					}
				}
			}
		}
	}
}
