import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { dateSpan } from '../../domain/shared/format.ts'
import { ownTimeOffInput } from '../../domain/users/schema.ts'
import type { OfflineStore } from '../reports/offline-store.ts'
import type { FormResult } from '../ui/form.tsx'
import { addMove, ofNone } from './local-changes.ts'
import { noteDone } from './unsent.ts'

/**
 * Keeps on the phone what its person asks for themselves, and answers what to say; null where the form lacks something,
 * which is said at the fields, by the schema that the server reads it with.
 */
export async function pressTimeOff(
  phone: OfflineStore,
  form: HTMLFormElement,
  intent: keyof typeof ownTimeOffInput,
): Promise<string | null> {
  const fields = new FormData(form)
  const read = (name: string) => String(fields.get(name) ?? '')
  if (intent === 'time-off-withdraw') {
    await addMove(phone, ofNone, {
      move: 'withdrawTimeOff',
      form: { timeOffId: read('timeOffId'), dates: read('dates') },
    })
    return 'Retiraste tu solicitud'
  }
  const names = ['from', 'fromTime', 'to', 'toTime', 'reason'] as const
  const typed = Object.fromEntries(names.map((name) => [name, read(name)]))
  const { data, error } = ownTimeOffInput[intent].safeParse(typed)
  const errors = Object.fromEntries(
    (error?.issues ?? []).toReversed().map(({ message, path }) => [path[0], message]),
  )
  if (data && data.span.end <= toMinutes(new Date())) errors.to = 'Esas fechas ya pasaron.'
  if (!data || errors.to) {
    const detail: FormResult = { errors, values: typed, refusal: null }
    form.dispatchEvent(new CustomEvent('refused', { detail }))
    return null
  }
  const dates = dateSpan(toDate(data.span.start), toDate(data.span.end))
  await addMove(phone, ofNone, { move: 'askTimeOff', form: { ...typed, dates } })
  noteDone(form)
  form.reset()
  return 'Guardamos tu solicitud'
}
