import type { Question } from '../../domain/reports/report.ts'
import { loadsIn } from './typed-loads.ts'

/** What a form sent for a question, for its judge. */
export const typedFor = ({ kind, name }: Question, sent: Readonly<Record<string, string>>): unknown =>
  kind === 'loads' ? loadsIn(name, sent) : (sent[name] ?? '')

/** The text fields of a form that stands on the page. */
export const fieldsIn = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
