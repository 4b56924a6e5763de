import { data } from 'react-router'
import type { z } from 'zod'
import { countForm } from '../accounts/limits.ts'
import { databaseRefusal } from '../platform/database/client.ts'
import { shareReads } from '../platform/database/reads.ts'
import { noteForm, noteReturned } from '../platform/http/form-answers.ts'
import { pickedValues } from '../shared/merging.ts'
import { Refusal, type RefusalCode, refusals } from '../shared/refusal.ts'
import { staleForm } from '../shared/schema.ts'
import { formRefused } from './flash.ts'
import { refusalsAsResponses, screenOf } from './refusals-as-responses.ts'
import type { LoaderContext } from './request.ts'

/** The most characters of text in a form with files: as much as one without (platform/storage/bodies.ts). */
const mostText = 64 * 1024

/** The fields of a form; none where the request is no form. */
export async function formOf(request: Request): Promise<FormData> {
  const form = await request.formData().catch(() => new FormData())
  const isLong = request.headers.get('content-type')?.startsWith('multipart') && lengthOf(form) > mostText
  if (isLong) throw screenOf(new TooMuchText())
  return form
}

function lengthOf(form: FormData): number {
  let length = 0
  for (const [name, value] of form)
    length += name.length + (typeof value === 'string' ? value : value.name).length
  return length
}

/** Answered with 413, which is none of the store's statuses. */
class TooMuchText extends Refusal {
  constructor() {
    super('out-of-range', {
      title: 'El texto es demasiado largo',
      description: 'Vuelve atrás, acórtalo y envíalo otra vez.',
    })
  }
  override get status() {
    return 413
  }
}

/** What a screen finds in `actionData` when its form was not accepted. `refusal.details` reaches the browser. */
export type Failure = {
  errors: Partial<Record<string, string>>
  values: Partial<Record<string, string>>
  /** `atFields`: it says nothing that `errors` don't say. */
  refusal: { code: RefusalCode; title: string; description: string; details: unknown; atFields?: true } | null
}

/** A form as it was sent: its text by name, the last of each, and its files by their boxes. */
export type SentForm = {
  values: Record<string, string>
  /** What its fields showed when it was read (`readName`). */
  read: Record<string, string>
  /** Null where its box was left empty. */
  file: (name: string) => File | null
}

type Answer = (sent: SentForm) => Promise<unknown>
type FormSchema = z.ZodType<unknown, Record<string, unknown>>
type ActionArgs = { request: Request; context: LoaderContext; params: object }

/** The handler of each form of a screen, by its intent. Those of several nouns are spread into one. */
type Forms = Record<string, Answer>
type AnswerOf<All> = All extends Forms ? Awaited<ReturnType<All[keyof All]>> : never

/**
 * The action of a screen with several forms: reads the request once, finds its form by its intent, and answers it.
 * `declare` runs before anything is read; its refusal replaces the screen. `which` says which form was sent where
 * another field says so.
 */
export const forms =
  <Args extends ActionArgs, All extends Forms>(
    declare: (args: Args) => All | Promise<All>,
    which = ({ intent }: SentForm['values']) => intent,
  ) =>
  (args: Args): Promise<AnswerOf<All>> =>
    refusalsAsResponses(async (): Promise<AnswerOf<All>> => {
      const all = await declare(args)
      const sent = await sentForm(args.request)
      const intent = which(sent.values) ?? ''
      const answer: Answer = Object.hasOwn(all, intent) ? all[intent]! : unknown
      return (await answer(sent)) as AnswerOf<All>
    })

/** The action of a screen with one form, which needs no intent: reads it by its schema and runs the change. */
export const submit = async <Schema extends FormSchema, Result>(
  request: Request,
  schema: Schema,
  run: (input: z.output<Schema>, sent: SentForm) => Promise<Result>,
  before?: Parameters<typeof form>[2],
) => form(schema, run, before)(await sentForm(request))

/**
 * One form: what it sends is read by its schema, which may depend on its text, and `run` makes the change. Wrong
 * fields answer 400 with a message under each. A Refusal becomes its status, and its `details.errors` go to the
 * fields they name. `before` keeps what must not be lost, whatever its fields lack, and answers what the schema can't
 * see to be wrong, so that all is said at once.
 */
export const form =
  <Schema extends FormSchema, Result>(
    asked: Schema | ((values: SentForm['values']) => Schema),
    run: (input: z.output<Schema>, sent: SentForm) => Promise<Result>,
    before?: (sent: SentForm) => Promise<Record<string, string>>,
  ) =>
  async (sent: SentForm): Promise<Result | ReturnType<typeof failure>> => {
    await noteForm(sent.values)
    const schema = typeof asked === 'function' ? asked(sent.values) : asked
    let others: Record<string, string> = {}
    try {
      others = (await before?.(sent)) ?? others
      await countForm()
      const parsed = await schema.safeParseAsync(sent.values, { error: () => staleForm })
      if (!parsed.success) return failure(sent, 400, whatIsWrong(parsed.error, others))
      return await run(parsed.data, sent)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : databaseRefusal(error)
      if (!refusal) throw error
      // A form of a change that they may not make is not on their screen: its error would be shown nowhere.
      if (refusal.code === 'permission-denied') throw screenOf(refusal)
      noteReturned(error instanceof Refusal ? 'own' : 'unavailable')
      const errors = errorsIn(refusal.details)
      const all = Object.keys(errors).length > 0 ? { ...others, ...errors } : errors
      return failure(sent, refusal.status, { errors: all, refusal: said(refusal) })
    }
  }

/** The same forms, each preceded by a check; its refusal replaces the screen, whatever the form says. */
export const checked = <All extends Forms>(check: () => unknown, all: All): All =>
  Object.fromEntries(
    Object.entries(all).map(([intent, answer]) => [
      intent,
      async (sent: SentForm) => {
        await check()
        return answer(sent)
      },
    ]),
  ) as All

const unknown = async (sent: SentForm) => failure(sent, 400, stale({ intent: staleForm }))

/** The name under which a form says which file was chosen in a box: a browser without JavaScript forgets it. */
const sentName = (box: string) => `${box}.sent`

async function sentForm(request: Request): Promise<SentForm> {
  const body = await formOf(request)
  const all: Record<string, string> = {}
  for (const [name, value] of body)
    if (typeof value === 'string') all[name] = value
    else if (isChosen(value)) all[sentName(name)] = value.name
  return {
    ...pickedValues(all),
    file: (name) => {
      const file = body.get(name)
      return file instanceof File && isChosen(file) ? file : null
    },
  }
}

const isChosen = ({ name, size }: File) => size > 0 || name !== ''

type Why = Pick<Failure, 'errors' | 'refusal'>

function failure({ read, values }: SentForm, status: number, why: Why) {
  shareReads()
  formRefused()
  const shown = Object.entries({ ...values, ...read }).filter(([name]) => !/password|contrase/i.test(name))
  return data<Failure>({ ...why, values: Object.fromEntries(shown) }, { status })
}

/** The ending of a message about a hidden value of a form: it is shown above the form. */
const isStale = (message: string | undefined) => message?.endsWith('Vuelve a abrir la página.')

/** The first message of each field. A schema without a message of its own is about what users don't type. */
function whatIsWrong({ issues }: z.ZodError, others: Readonly<Record<string, string>>): Why {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) if (path.length > 0) errors[String(path[0])] ??= message
  for (const [field, message] of Object.entries(others)) errors[field] ??= message
  const whole = issues.find(({ path }) => path.length === 0)?.message
  if (whole) return { errors, refusal: said(new Refusal('invalid-argument', { description: whole })) }
  return Object.values(errors).some(isStale) ? stale(errors) : { errors, refusal: null }
}

const stale = (errors: Why['errors']): Why => ({
  errors,
  refusal: said(new Refusal('invalid-argument', { description: staleForm })),
})

function said({ code, title, description, details }: Refusal): Failure['refusal'] {
  const errors = Object.values(errorsIn(details))
  const isMore = description !== refusals[code].description && !errors.includes(description)
  return { code, title, description, details, ...(errors.length > 0 && !isMore && { atFields: true }) }
}

function errorsIn(details: unknown): Why['errors'] {
  if (typeof details !== 'object' || details === null || !('errors' in details)) return {}
  return details.errors as Record<string, string>
}
