import { data } from 'react-router'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../domain/refusal.ts'
import { databaseRefusal } from '../server/database/faults.ts'
import { noteForm } from '../server/http/form-answers.ts'
import { formOf, textOf } from './form.ts'
import { screenOf } from './load.ts'

/** The names of a form's fields; of a union of forms, those of all its members. */
type FieldsOf<Input> = Input extends unknown ? Extract<keyof Input, string> : never
type FormSchema = z.ZodType<unknown, Record<string, unknown>>

/** What a screen finds in `actionData` when its form was not accepted. `refusal.details` reaches the browser. */
export type Failure<Field extends string = string> = {
  errors: Partial<Record<Field, string>>
  values: Partial<Record<Field, string>>
  refusal: { code: RefusalCode; title: string; description: string; details: unknown } | null
}

/**
 * Reads a form by its schema and runs the change with its input; answers with what `run` returns.
 * Wrong fields answer 400 with a message under each field. A Refusal of `run`, or a database error that stands for
 * one, answers with its status and message; any other error is thrown on. What was typed goes back, passwords excluded.
 * @throws the response of a screen when the refusal is `permission-denied`: the form is not on that reader's screen.
 */
export async function submit<Schema extends FormSchema, Result>(
  request: Request,
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<Result>,
) {
  type Field = FieldsOf<z.input<Schema>>
  const sent = textOf(await formOf(request))
  await noteForm(sent)
  const failure = (status: number, why: Pick<Failure, 'errors' | 'refusal'>) =>
    data({ ...why, values: withoutPasswords(sent) } as Failure<Field>, { status })
  const parsed = await schema.safeParseAsync(sent)
  if (!parsed.success) return failure(400, whatIsWrong(parsed.error))
  try {
    return await run(parsed.data)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : databaseRefusal(error)
    if (!refusal) throw error
    // A form whose change is not allowed is not on the reader's screen: the message would have no place.
    if (refusal.code === 'permission-denied') throw screenOf(refusal)
    return failure(refusal.status, { errors: errorsIn(refusal.details), refusal: said(refusal) })
  }
}

const withoutPasswords = (sent: Record<string, string>) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !/password|contrase/i.test(name)))

/** What a form carries without showing it: whoever uses the screen can't correct it. */
const unseen = new Set([
  'version',
  'requestKey',
  'taskId',
  'move',
  'intent',
  'appointmentId',
  'offerId',
  'planId',
  'faultId',
  'quoteId',
  'invoiceId',
  'photoId',
  'paymentId',
  'refundId',
  'projectId',
  'commissionId',
  'standing',
  'endpointId',
  'deliveryId',
  'seen',
  'fee',
  'lineId',
  'statementId',
  'pairs',
])
const staleForm = 'Este formulario ya no sirve. Vuelve a abrir la página.'
const isStale = ([name, message]: [name: string, message: string]) =>
  unseen.has(name) || message.endsWith('Vuelve a abrir la página.')

/** The first message of each field; one about the form as a whole, or about what nobody sees, is said above it. */
function whatIsWrong({ issues }: z.ZodError): Pick<Failure, 'errors' | 'refusal'> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) if (path.length > 0) errors[String(path[0])] ??= message
  const whole = issues.find(({ path }) => path.length === 0)?.message
  const stale = Object.entries(errors).some(isStale) ? staleForm : undefined
  const description = whole ?? stale
  return { errors, refusal: description ? said(new Refusal('invalid-argument', { description })) : null }
}

const said = ({ code, title, description, details }: Refusal) => ({ code, title, description, details })

function errorsIn(details: unknown): Record<string, string> {
  if (typeof details !== 'object' || details === null || !('errors' in details)) return {}
  return details.errors as Record<string, string>
}
