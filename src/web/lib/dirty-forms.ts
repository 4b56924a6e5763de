/** Forms that the user wrote in since they were last sent. */
const touched = new WeakSet<HTMLFormElement>()

export const isFormDirty = (form: HTMLFormElement): boolean => touched.has(form)

/**
 * Follows what is written in the forms of every screen. It begins before hydration: on a slow phone a person writes
 * as soon as there are fields, and no listener of a component exists yet.
 */
export function watchDirtyForms(): void {
  // A box outside that belongs to it, as of a row, is a mark, and nothing written.
  const isWritten = (form: HTMLFormElement) => (control: Element) =>
    form.contains(control) && isChanged(control)
  for (const form of document.forms)
    if (posts(form) && [...form.elements].some(isWritten(form))) touched.add(form)
  document.addEventListener('input', ({ target }) => {
    const form = (target as Element).closest('form')
    if (form && posts(form)) touched.add(form)
  })
  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement) touched.delete(target)
  })
}

const posts = (form: HTMLFormElement) => form.method === 'post'

/** Whether a control differs from what the server sent. */
export function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    const { options, selectedIndex } = control
    const sent = [...options].findLastIndex(({ defaultSelected }) => defaultSelected)
    return selectedIndex !== Math.max(0, sent)
  }
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
  if (!(control instanceof HTMLInputElement)) return false
  // A checkbox has a `value` also when it is not checked.
  if (control.type === 'checkbox' || control.type === 'radio')
    return control.checked !== control.defaultChecked
  return control.value !== control.defaultValue
}
