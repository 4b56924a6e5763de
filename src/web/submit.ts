import { data } from 'react-router'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../domain/refusal.ts'

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
 * Reads a form by its schema and runs the change. Wrong fields answer 400 with a message under each; a Refusal
 * answers with its own status and words (`details.errors` go under their fields); any other error is a bug and travels on.
 */
export async function submit<Schema extends FormSchema, Result>(
  request: Request,
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<Result>,
) {
  type Field = FieldsOf<z.input<Schema>>
  const sent = await fieldsOf(request)
  const failure = (status: number, why: Pick<Failure, 'errors' | 'refusal'>) =>
    data({ ...why, values: withoutPasswords(sent) } as Failure<Field>, { status })
  const parsed = await schema.safeParseAsync(sent)
  if (!parsed.success) return failure(400, whatIsWrong(parsed.error))
  try {
    return await run(parsed.data)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, title, description, details } = error
    return failure(error.status, {
      errors: errorsIn(details),
      refusal: { code, title, description, details },
    })
  }
}

/** The text fields of a form, the last of each name; files are left out, and a body that is no form has none. */
async function fieldsOf(request: Request): Promise<Record<string, string>> {
  const form = await request.formData().catch(() => new FormData())
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const withoutPasswords = (sent: Record<string, string>) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !/password|contrase/i.test(name)))

/** The first message of each field; one about the form as a whole is said above it. */
function whatIsWrong({ issues }: z.ZodError): Pick<Failure, 'errors' | 'refusal'> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) if (path.length > 0) errors[String(path[0])] ??= message
  const whole = issues.find(({ path }) => path.length === 0)
  return {
    errors,
    refusal: whole ? said(new Refusal('invalid-argument', { description: whole.message })) : null,
  }
}

const said = ({ code, title, description, details }: Refusal) => ({ code, title, description, details })

function errorsIn(details: unknown): Record<string, string> {
  if (typeof details !== 'object' || details === null || !('errors' in details)) return {}
  return details.errors as Record<string, string>
}
