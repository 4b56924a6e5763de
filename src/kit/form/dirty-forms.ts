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

/** What a user fills in. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const isBox = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'

/** Ticks or unticks as a person would; answers whether that changed anything. */
export function setTick(control: Control, checked: boolean): boolean {
  if (!isBox(control) || control.checked === checked || (control.type === 'radio' && !checked)) return false
  control.click()
  return true
}

/** Writes as a person would: it fires the events that a screen which follows its fields listens to. */
export function fill(control: Control, value: string): boolean {
  if (control.value === value) return false
  const prototype = Object.getPrototypeOf(control)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
  // One event each: a long quote draws itself anew at every one.
  const type = control instanceof HTMLSelectElement ? 'change' : 'input'
  control.dispatchEvent(new Event(type, { bubbles: true }))
  return true
}
