import { useState } from 'react'
import type { Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'

/**
 * What is still to be given anew of what a returned sheet asked for again: an answer counts as given when it is said again, be
 * it the same one; a picture when there is another.
 */
export function useRedo(sheet: Sheet, draft: Draft): { sheet: Sheet; draft: Draft } {
  const [said, setSaid] = useState<ReadonlySet<string>>(new Set())
  const isAnother = (slot: string) =>
    draft.files.some((file) => file.slot === slot && sheet.files.every(({ id }) => id !== file.id))
  const redo = sheet.redo.filter((name) => !said.has(name) && !isAnother(name))
  const write: Draft['write'] = (name, value, typed) => {
    draft.write(name, value, typed)
    if (sheet.redo.includes(name)) setSaid((before) => new Set(before).add(name))
  }
  return { sheet: { ...sheet, redo }, draft: { ...draft, write } }
}
