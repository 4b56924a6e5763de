import { data } from 'react-router'
import type { Failure } from '../../kit/submit.ts'
import type { RefusalCode, Result } from '../../shared/refusal.ts'
import { failedHere } from './operations.ts'

export type TypedFields = Readonly<Record<string, string>>

/** The text fields of a form that is being sent. */
export const typedFields = async (request: Request): Promise<TypedFields> =>
  Object.fromEntries(
    [...(await request.clone().formData())].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

/** What an operation answered, as a form shows it: a failure leaves the screen as it is, with what was typed. */
export async function formAnswer<T, Accepted>(
  fields: TypedFields,
  asked: Promise<Result<T>>,
  accepted: (value: T) => Accepted,
) {
  const answer = await asked
  return answer.ok ? accepted(answer.value) : notAccepted(fields, answer)
}

/** The server's own action; where it can't be reached, the form stays with what was typed. */
export async function orKept<Answer>(fields: TypedFields, serverAction: () => Promise<Answer>) {
  try {
    return await serverAction()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return notAccepted(fields, failedHere('network-request-failed'))
  }
}

function notAccepted(fields: TypedFields, { error }: Extract<Result<never>, { ok: false }>) {
  const { code, title, description, errors = {} } = error
  const values = Object.fromEntries(Object.entries(fields).filter(([name]) => !/password/i.test(name)))
  const underFields = Object.keys(errors).some((name) => name in fields)
  // The messages under the fields are enough.
  const refusal = underFields ? null : { code: code as RefusalCode, title, description, details: undefined }
  // With a 4xx status the router does not revalidate: without a network that would replace the screen.
  return data<Failure>({ errors, values, refusal }, { status: 400 })
}
