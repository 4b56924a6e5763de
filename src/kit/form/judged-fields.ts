import { useEffect, useState } from 'react'

/** What came back to a form that was not accepted: a message per wrong field, and what was typed. */
type Judged = { errors: Partial<Record<string, string>>; values: Partial<Record<string, string>> }

/** The fields of an answer that are wrong. */
export const wrongFields = (result: Judged | undefined) =>
  Object.entries(result?.errors ?? {}).flatMap(([name, error]) => (error ? [name] : []))

export const fieldId = (form: string, name: string) => `${form}-${name}`

/** A wrong field, or the group of its boxes; one that stands outside of its form says whose error it shows. */
export const fieldPlace = (form: string, name: string) =>
  document.getElementById(fieldId(form, name)) ??
  document.querySelector<HTMLElement>(`[data-shows-error="${CSS.escape(name)}"]`)

const boxes = 'input:not([type=hidden], :disabled), select:not(:disabled), textarea:not(:disabled)'

const boxesOf = (place: HTMLElement) =>
  place.matches(boxes) ? [place] : [...place.querySelectorAll<HTMLElement>(boxes)]

/** Brings a wrong field into view, whatever is folded around it, and the focus to it or to the choice of its group. */
export function goTo(place: HTMLElement | null) {
  if (!place) return
  for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  const all = boxesOf(place)
  const box = all.find((one) => one.matches(':checked')) ?? all[0] ?? place
  box.focus({ preventScroll: true, focusVisible: true })
  box.scrollIntoView({ block: 'center' })
}

/**
 * The errors of an answer as they stand: each goes as soon as its field changes, and is back where the field is left
 * as it was refused, or as the browser itself can see to be wrong. `standing` is in the order of the page; `lost` has
 * no field on it.
 */
export function useJudged(
  id: string,
  result: Judged | undefined,
  unsaid: (names: readonly string[]) => readonly string[],
) {
  const wrong = wrongFields(result)
  const none = { of: result, cured: [] as readonly string[], shown: null as readonly string[] | null }
  const [judged, setJudged] = useState(none)
  const { cured, shown } = judged.of === result ? judged : none
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer that came.
  useEffect(() => {
    if (!result) return
    const places = wrong.flatMap((name) => {
      const place = fieldPlace(id, name)
      return place ? [{ name, place }] : []
    })
    places.sort((one, other) =>
      one.place.compareDocumentPosition(other.place) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    )
    setJudged({ of: result, cured: [], shown: places.map(({ name }) => name) })
    goTo(places[0]?.place ?? null)
  }, [id, result])
  const judge = ({ target, type }: { target: EventTarget; type: string }) => {
    const name = wrong.find((one) => fieldPlace(id, one)?.contains(target as Node))
    if (name === undefined) return
    const rest = cured.filter((one) => one !== name)
    const isBack = type === 'blur' && isAsRefused(fieldPlace(id, name), result?.values[name])
    if (type === 'blur' ? isBack && rest.length < cured.length : rest.length === cured.length)
      setJudged({ of: result, cured: isBack ? rest : [...rest, name], shown })
  }
  const standing = (shown ?? unsaid(wrong)).filter((name) => !cured.includes(name))
  return { cured, standing, lost: shown ? wrong.filter((name) => !shown.includes(name)) : [], judge }
}

/** Whether a box holds what was refused, or what can't be right. A group is right once something in it was chosen. */
const isAsRefused = (box: HTMLElement | null, refused = '') =>
  box !== null &&
  'value' in box &&
  'validity' in box &&
  ((box.matches('[type=checkbox]:not(:checked)') ? '' : box.value) === refused ||
    !(box as HTMLInputElement).validity.valid)
