/** How long what the office told by letter waits, and can be undone. */
export const undoSeconds = 30

/** The same of a no-show, which is said at the door. */
export const absenceUndoSeconds = 600

/** The most proposed assignments that one press confirms. */
export const MAX_CONFIRMED = 50

/** What is undone besides appointments: a deactivated account, a sent quote, an applied plan, a step of a case with CFE. */
export const undoableThings = ['cuenta', 'cotizacion', 'reparto', 'tramite'] as const

/** A change that a toast offers to undo: of an appointment where it does not say otherwise. */
export type Undoable = { id: string; version: number; of?: (typeof undoableThings)[number] }

/** Changes as a toast carries them: "appointment:version", or "cuenta:user:version", by commas. */
export const undoText = (changes: readonly Undoable[]) =>
  changes.map(({ id, of, version }) => [...(of ? [of] : []), id, version].join(':')).join()

/** What is said about changes that were undone, and those that were not. */
export function undoneWords(undone: number, why: readonly string[]): string {
  const done = undone === 1 ? 'Quedó como estaba.' : `${undone} citas quedaron como estaban.`
  const told = 'Nadie recibió aviso.'
  if (why.length === 0) return `${done} ${told}`
  return undone === 0 ? [...new Set(why)].join(' ') : `${done} De ${why.length} ya no se pudo: ${why[0]}`
}
