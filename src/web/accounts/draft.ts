/** A field as it was typed: its form's place in the page, its name, its value, and whether a box was ticked. */
export type DraftField = readonly [form: number, name: string, value: string, checked: boolean | null]

/** What somebody typed on one screen and did not send yet. `owner` and `marker` are hashes of the person and the session. */
export type Draft = { owner: string; marker: string; path: string; returning: boolean; fields: DraftField[] }

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const key = 'carga.draft'
const unkept = new Set(['password', 'hidden', 'file', 'submit', 'button', 'reset', 'image'])

/** What was typed is kept for this tab only, and nowhere but in it. */
export function readDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export function writeDraft(draft: Draft | null): void {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // Full, or not allowed: then there are no drafts.
  }
}

/** The forms of the screen that send something. */
export const forms = () => [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]')]

/** Whether a form that was sent stands there again with an answer: what it holds was not accepted. */
export const isAnswered = () => forms().some((form) => form.dataset.answered !== undefined)

/** The form of a screen that an event happened in. */
export const formOf = ({ target }: Event): HTMLFormElement | undefined =>
  target instanceof Element ? forms().find((form) => form.contains(target)) : undefined

/** Everything typed in these forms, passwords and codes excepted. */
export const typedIn = (typed: ReadonlySet<HTMLFormElement>): DraftField[] =>
  forms().flatMap((form, at) =>
    typed.has(form)
      ? controlsOf(form).map((control): DraftField => [at, control.name, control.value, tick(control)])
      : [],
  )

/** Puts back what was typed; answers how many fields it changed. Fields that are no longer there are passed over. */
export function putBack(fields: readonly DraftField[]): number {
  const controls = forms().map(controlsOf)
  return fields.filter(([at, name, value, checked]) => {
    const named = controls[at]?.filter((control) => control.name === name) ?? []
    const control = checked === null ? named[0] : named.find((box) => box.value === value)
    return control !== undefined && (checked === null ? write(control, value) : setTick(control, checked))
  }).length
}

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter((element): element is Control => {
    const { name, type, autocomplete } = element as HTMLInputElement
    const isSecret = /password|contrase/i.test(name) || autocomplete === 'one-time-code'
    return Boolean(name) && type !== undefined && !unkept.has(type) && !isSecret
  })

const isBox = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'
const tick = (control: Control) => (isBox(control) ? control.checked : null)

function setTick(control: Control, checked: boolean): boolean {
  if (!isBox(control) || control.checked === checked || (control.type === 'radio' && !checked)) return false
  control.click()
  return true
}

/** Writes as a person would, so that a screen that follows its fields hears of it. */
function write(control: Control, value: string): boolean {
  if (control.value === value) return false
  const prototype = Object.getPrototypeOf(control)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
  return true
}
