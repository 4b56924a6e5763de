import { z } from '@hono/zod-openapi'
import { personName } from '../../accounts/rules/schema.ts'
import { inviteEnd } from '../../agencies/client-invitations.ts'
import { benefitLabels } from '../../agencies/rules/agency.ts'
import type { ClientStage } from '../../agencies/rules/clients.ts'
import { codeStates, referralCodeIn } from '../../agencies/rules/codes.ts'
import { serviceFacts, services } from '../../appointments/rules/appointment.ts'
import { stageLabels, stages, waitingLabels } from '../../projects/rules/stages.ts'
import { optionalEmail, optionalText, theirPhone } from '../../shared/schema.ts'
import { problems, rule } from './problems.ts'

// What the interface takes and answers. The document is made of these, and so are the checks of what comes in.

const inWords = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels)
    .map(([value, label]) => `\`${value}\` ${label}`)
    .join(', ')
const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) => Object.keys(table) as Key[]

const clientStages: readonly ClientStage[] = ['invited', ...stages]
const stageWords = `En qué va: ${inWords({ invited: 'Invitado, todavía sin cuenta', ...stageLabels })}.`
const waitingWords = `A quién le toca: ${inWords({ ...waitingLabels, customer: 'El cliente' })}.`
const serviceWords = inWords(
  Object.fromEntries(Object.entries(serviceFacts).map(([service, { label }]) => [service, label])),
)

export const exampleId = '019aa5c3-7d5e-7c64-8f0a-3a7c0c5be1f2'
const id = z.uuid().openapi({ example: exampleId })
const moment = z.iso.datetime().openapi({ example: '2026-11-20T16:30:00.000Z' })
const day = z.iso.date().openapi({ example: '2026-12-31' })

const stage = z.enum(clientStages).openapi('Stage', { description: stageWords, example: 'visit' })
const waitingOn = z
  .enum(keysOf(waitingLabels))
  .openapi('Turn', { description: waitingWords, example: 'technician' })

const appointment = z
  .object({
    type: z.enum(services).openapi({ description: serviceWords, example: 'technical_visit' }),
    startsAt: moment,
  })
  .openapi('Appointment', { description: 'Una cita del cliente.' })

export const exampleReference = 'DMS-10482'
const carText = z.string().nullable().openapi({ example: 'Dolphin' })
const clientFields = {
  id,
  firstName: z.string().openapi({ example: 'Camila' }),
  vehicle: z.object({ brand: carText, model: carText }).nullable().openapi({ description: 'Su auto.' }),
  reference: z.string().nullable().openapi({ description: 'La tuya.', example: exampleReference }),
  stage,
  waitingOn,
  since: moment.nullable().openapi({ description: 'Desde cuándo está así.' }),
  appointments: z.array(appointment),
}
export const client = z.object(clientFields).openapi('Client', {
  description:
    'Lo que se dice de un cliente. Nada más sale de aquí: ni apellidos, ni contacto, ni montos. `reference` es la que tú le diste.',
})
export const registeredClient = z
  .object({
    ...clientFields,
    invitationUrl: z.url().openapi({ description: 'Para el cliente. Sirve una vez.' }),
    invitationExpiresAt: moment,
  })
  .openapi('RegisteredClient', {
    example: {
      id: exampleId,
      firstName: 'Camila',
      vehicle: { brand: 'BYD', model: 'Dolphin' },
      reference: exampleReference,
      stage: 'invited',
      waitingOn: 'customer',
      since: '2026-11-20T16:30:00.000Z',
      appointments: [],
      invitationUrl: 'https://cargaencasa.example/approach?codigo=VERDE26&registro=…',
      invitationExpiresAt: '2027-02-18T16:30:00.000Z',
    },
  })

/** A field that is not there has words of its own. */
const orMissing = { error: ({ input }: { input?: unknown }) => (input === undefined ? missing : undefined) }
const missing = rule('Falta {}', '{} is missing')

const text = (max: number, example: string) =>
  z
    .string(orMissing)
    .min(1, rule('{} está vacío', '{} is empty'))
    .max(max, rule(`{} puede tener hasta ${max} caracteres`, `{} may have up to ${max} characters`))
    .openapi({ example })

const years = rule('{} debe ser de 1990 a 2100', '{} must be from 1990 to 2100')
export const newClient = z
  .strictObject({
    name: text(60, 'Camila'),
    lastname: text(80, 'Prueba').optional(),
    phone: text(30, '55 1234 5678').openapi({ description: 'Diez dígitos, con lada; con o sin espacios.' }),
    email: text(254, 'camila@ejemplo.mx').optional(),
    vehicle: z
      .strictObject({
        brand: text(40, 'BYD').optional(),
        model: text(60, 'Dolphin').optional(),
        year: z.int().min(1990, years).max(2100, years).optional().openapi({ example: 2026 }),
      })
      .optional(),
    reference: text(64, exampleReference).optional().openapi({ description: 'Su número en tu sistema.' }),
    code: text(20, 'VERDE26').openapi({ description: 'Un código activo de tu concesionaria.' }),
    consent: z.literal(true, orMissing).openapi({
      description: 'La persona aceptó que nos pases sus datos, después de ver el aviso de privacidad.',
      example: true,
    }),
  })
  .openapi('NewClient')

export const code = z
  .object({
    code: z.string().openapi({ example: 'VERDE26' }),
    state: z.enum(keysOf(codeStates)).openapi({ description: inWords(codeStates), example: 'active' }),
    label: z.string().nullable().openapi({ description: 'Para qué es.', example: 'Mostrador' }),
    benefit: z.object({
      kind: z
        .enum(keysOf(benefitLabels))
        .openapi({ description: inWords(benefitLabels), example: 'percent' }),
      value: z.int().openapi({
        description: 'De `percent`, centésimas de punto (1000 es 10 %); de `amount`, centavos antes de IVA.',
        example: 1000,
      }),
    }),
    startsOn: z.iso.date().openapi({ example: '2026-11-23' }),
    endsOn: day.nullable().openapi({ description: 'El último día en que sirve.' }),
    maxUses: z.int().openapi({ example: 100 }),
    uses: z.int().openapi({ example: 12 }),
  })
  .openapi('Code')

const change = z
  .object({ clientId: id, reference: z.string().nullish(), from: stage, to: stage, waitingOn })
  .openapi('StageChange', {
    example: {
      clientId: exampleId,
      reference: exampleReference,
      from: 'visit',
      to: 'quoting',
      waitingOn: 'analyst',
    },
  })
/** What is posted to an endpoint; `webhook.test` is sent only when the manager asks, and is not among the events. */
export const message = z
  .object({ type: z.literal('client.stage_changed'), timestamp: moment, data: change })
  .openapi('StageChangedMessage', { description: 'El cuerpo de un aviso.' })
export const event = z
  .object({ id, type: z.literal('client.stage_changed'), timestamp: moment, data: change })
  .openapi('Event')

export const problem = z
  .object({
    type: z.url().openapi({ description: 'Dónde se explica.' }),
    title: z.string().openapi({ description: 'En inglés.' }),
    status: z.int(),
    detail: z.string().openapi({ description: 'En inglés: qué hacer.' }),
    message: z.string().openapi({ description: 'En español, para mostrarlo a personas.' }),
    code: z.enum(keysOf(problems)).openapi({ description: 'Para programas: no cambia.' }),
    errors: z
      .array(
        z.object({
          field: z.string(),
          message: z.string().openapi({ description: 'En español.' }),
          detail: z.string().openapi({ description: 'En inglés.' }),
        }),
      )
      .optional()
      .openapi({ description: 'Qué campos no podemos aceptar, y por qué.' }),
    requestId: z.string().openapi({ description: 'Dinos este dato cuando pidas ayuda.' }),
  })
  .openapi('Problem', { description: 'Por qué no se hizo, según RFC 9457.' })

const cursor = z
  .uuid(
    rule(
      '{} debe ser el "next" de la página anterior, tal como llegó',
      '{} must be the "next" of the previous page, as it came',
    ),
  )
  .optional()
  .openapi({ description: 'El `next` de la página anterior.' })
/** The most that a page of an answer may have. */
export const MAX_LIMIT = 100

const limits = rule(`{} debe ser de 1 a ${MAX_LIMIT}`, `{} must be from 1 to ${MAX_LIMIT}`)
const limit = z.coerce
  .number<string>(limits)
  .int(limits)
  .min(1, limits)
  .max(MAX_LIMIT, limits)
  .default(50)
  .openapi({ type: 'integer', description: 'Cuántos por página.' })
export const paging = z.strictObject({ limit, cursor })
export const clientFilterQuery = paging.extend({
  stage: stage.optional(),
  code: text(20, 'VERDE26').optional(),
  reference: text(64, exampleReference).optional(),
})
export const byId = z.object({ id })

/** A page of rows; `next` is null on the last one. */
export const pageSchemaOf = <Row extends z.ZodType>(row: Row, name: string) =>
  z
    .object({
      data: z.array(row),
      next: z.string().nullable().openapi({ description: 'El `cursor` de la página que sigue, o null.' }),
    })
    .openapi(name)

export type ApiNewClient = z.output<typeof newClient>

export type ApiClient = z.output<typeof registeredClient>

/** What the fields mean: tidied, and in the words of every other form where they can't be taken. */
export const newClientFields = z.object({
  name: personName('Escribe su nombre.'),
  lastname: optionalText(80),
  phone: theirPhone,
  email: optionalEmail,
  reference: optionalText(64),
  vehicle: z
    .object({ brand: optionalText(40), model: optionalText(60) })
    .default({ brand: null, model: null }),
  code: z.string().transform((sent, ctx) => {
    const code = referralCodeIn(sent)
    if (code) return code
    ctx.addIssue('Ese código no se puede usar')
    return z.NEVER
  }),
})

/** What the fields above may be, in English; their schemas say it in the words of the forms. */
export const newClientRules: Readonly<Record<string, string>> = {
  name: 'name must have letters',
  lastname: 'lastname is not valid',
  phone: 'phone must be a Mexican number of ten digits',
  email: 'email must be an e-mail address',
  vehicle: 'vehicle is not valid',
  code: 'code cannot be used',
}

type Invited = z.output<typeof newClientFields> & { id: string; token: string }

/** A client just registered, with the link they are given. A last name that was not sent may stand in the name. */
export function invitedClient(
  { id, name, lastname, vehicle, reference, code, token }: Invited,
  baseUrl: string,
  now: Date,
): ApiClient {
  const query = new URLSearchParams({ codigo: code, registro: token })
  return {
    id,
    firstName: lastname === null ? name.split(' ')[0]! : name,
    vehicle: vehicle.brand || vehicle.model ? vehicle : null,
    reference,
    stage: 'invited',
    waitingOn: 'customer',
    since: now.toISOString(),
    appointments: [],
    invitationUrl: `${baseUrl}/approach?${query}`,
    invitationExpiresAt: inviteEnd(now).toISOString(),
  }
}
