// Apart from the form's rules, so that a screen that only names the boxes does not carry the validator to the browser.

/** Field names by which a reviewer asks again for an answer or a photo of a report. */
export const redoBox = (name: string) => `redo.${name}`

/** The names that were ticked in a form. */
export const redoOf = (sent: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(sent)
    .filter((box) => box.startsWith(redoBox('')))
    .map((box) => box.slice(redoBox('').length))
