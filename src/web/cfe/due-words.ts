import { type CaseTurn, cfeDays, type DueDates } from '../../domain/cfe/case.ts'
import { shortDate } from '../../domain/shared/format.ts'

/** When a turn should be over, in a sentence; null where nothing is due. */
export function dueWords(turn: CaseTurn, dates: DueDates | null): string | null {
  if (!dates) return null
  if (turn !== 'cfe' || !dates.stated || !dates.usualFrom) return `A más tardar el ${shortDate(dates.late)}.`
  return `CFE dice ${cfeDays.stated} días hábiles (${shortDate(dates.stated)}). Lo usual es entre el ${shortDate(dates.usualFrom)} y el ${shortDate(dates.late)}; ha llegado a tardar cuatro meses.`
}
