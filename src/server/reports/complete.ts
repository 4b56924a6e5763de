import { askedAgain, type Missing, missingIn, unsafeWords } from '../../domain/reports/progress.ts'
import { sheetLabels } from '../../domain/reports/report.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type HeldSheet, openRedo, takenIn } from './rows.ts'

/** Refuses to hand in a sheet to which something is missing, and says what. */
export function refuseIncomplete(sheet: HeldSheet): void {
  const { answers, files, kind } = sheet
  const missing = [...missingIn(kind, answers, takenIn(files)), ...askedAgain(kind, openRedo(sheet))]
  if (missing.length === 0) return
  const [first] = missing
  if (missing.some(({ unsafe }) => unsafe)) refuseUnsafe(missing)
  const rest = missing.length === 1 ? '' : ` Y ${missing.length - 1} más.`
  const description = `Envía tu ${sheetLabels[kind].toLowerCase()} completo para terminar. ${first!.label}: ${first!.message}${rest}`
  refuse('failed-precondition', description, { missing })
}

/** Nothing that failed a test is left energized, or handed over. */
function refuseUnsafe(missing: readonly Missing[]): never {
  const failed = missing.filter(({ unsafe }) => unsafe)
  const reasons = failed.map(({ label, message }) => `${label}: ${message.replace(`${unsafeWords} `, '')}`)
  refuse(
    'failed-precondition',
    `${unsafeWords} ${reasons.join(' ')} Corrígelo y vuelve a probar, o corta la energía y termina la cita como «Quedó a medias».`,
    { missing },
  )
}
