import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { databaseRefusal } from '../../platform/database/client.ts'
import { Refusal, type RefusalCode } from '../../shared/refusal.ts'

/**
 * Every way the interface says no: a stable code for programs, HTTP status, and words: `title` and `detail` in English for
 * developers and their logs, `message` in Spanish for the people of a dealership.
 */
export const problems = {
  invalid_request: {
    status: 400,
    title: 'The request has values we cannot accept',
    detail: 'Correct the fields listed in "errors" and send it again.',
    message: 'Hay datos que no podemos aceptar. Corrige los campos que dice "errors" y vuelve a enviarla.',
  },
  key_missing: {
    status: 401,
    title: 'The key is missing',
    detail: 'Send your key in the Authorization header, as Bearer.',
    message: 'Falta la llave. Envíala en el encabezado Authorization, como Bearer.',
  },
  key_unknown: {
    status: 401,
    title: 'The key is not valid',
    detail: 'We do not know that key. Check that it is complete.',
    message: 'No conocemos esa llave. Revisa que esté completa.',
  },
  key_revoked: {
    status: 401,
    title: 'The key was revoked',
    detail: 'Ask Carga en Casa for a new key.',
    message: 'La llave se revocó. Pide a Carga en Casa una nueva.',
  },
  key_expired: {
    status: 401,
    title: 'The key expired',
    detail: 'Ask Carga en Casa for a new key.',
    message: 'La llave venció. Pide a Carga en Casa una nueva.',
  },
  agency_inactive: {
    status: 401,
    title: 'The dealership is inactive',
    detail: 'While it is inactive, its keys give no access.',
    message: 'La concesionaria está inactiva. Mientras lo esté, sus llaves no dan acceso.',
  },
  scope_missing: {
    status: 403,
    title: 'The key lacks the permission',
    detail: 'Ask for a key with the permission that this operation needs.',
    message: 'La llave no tiene ese permiso. Pide una que tenga el que esta operación necesita.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'It does not exist, or does not belong to your dealership.',
    message: 'No lo encontramos. No existe, o no es de tu concesionaria.',
  },
  route_not_found: {
    status: 404,
    title: 'No such address',
    detail: 'This address does not exist. See /api/v1.',
    message: 'Esta dirección no existe. Mira /api/v1.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not take that method',
    detail: 'Use one of the methods in the Allow header.',
    message: 'Esta dirección no acepta ese método. Usa uno de los que dice el encabezado Allow.',
  },
  code_unusable: {
    status: 409,
    title: 'That code cannot be used',
    detail: 'It does not exist, is not of your dealership or is not active. See GET /codes.',
    message:
      'Ese código no se puede usar. No existe, no es de tu concesionaria o no está activo. Consulta GET /codes.',
  },
  client_exists: {
    status: 409,
    title: 'Your dealership already invited somebody with that phone or e-mail',
    detail: 'Nobody was registered. Look for the client in GET /clients, or withdraw that invitation first.',
    message:
      'Tu concesionaria ya invitó a alguien con ese teléfono o correo, y no registramos a nadie. Búscalo en GET /clients.',
  },
  conflict: {
    status: 409,
    title: 'Not possible now',
    detail: 'The state of things does not allow it. Check it before you try again.',
    message: 'Ahora no se puede. Revisa cómo está antes de volver a intentar.',
  },
  body_too_large: {
    status: 413,
    title: 'The request is too large',
    detail: 'The body may have up to 64 kB.',
    message: 'La solicitud es demasiado grande. El cuerpo puede medir hasta 64 kB.',
  },
  media_type: {
    status: 415,
    title: 'The body is not JSON',
    detail: 'Send the body with Content-Type: application/json.',
    message: 'El cuerpo no es JSON. Envíalo con Content-Type: application/json.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used with other data',
    detail: 'Use a new Idempotency-Key for each client.',
    message: 'La llave de idempotencia ya se usó con otros datos. Usa una nueva para cada cliente.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait for the seconds in Retry-After.',
    message: 'Demasiadas solicitudes. Espera los segundos que dice Retry-After.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    detail: 'It was our fault, and it is on record. Try again in a moment.',
    message: 'Fue nuestra culpa y ya quedó registrado. Vuelve a intentarlo en un momento.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    detail: 'We are having trouble. Try again in a few seconds.',
    message: 'Estamos teniendo problemas. Vuelve a intentarlo en unos segundos.',
  },
} as const satisfies Record<
  string,
  { status: ContentfulStatusCode; title: string; detail: string; message: string }
>

export type ProblemCode = keyof typeof problems
type FieldError = { field: string; message: string; detail: string }
type Words = {
  /** In Spanish; its problem's own where nothing more exact is known. */
  message?: string
  detail?: string
  errors?: readonly FieldError[]
  /** Seconds until it may be tried again, where there is no use before. */
  waits?: number | undefined
}

/** What a request is refused with, thrown on purpose. */
export class ApiProblem extends Error {
  readonly code: ProblemCode
  readonly words: Words
  constructor(code: ProblemCode, words: Words = {}) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.words = words
  }
}

/** Where the page of the interface explains a code. */
const problemAddress = (baseUrl: string, code: ProblemCode) => `${baseUrl}/api/v1#problema-${code}`

/** The answer, as RFC 9457 has it. */
export function answerProblem(c: Context, { code, words }: ApiProblem, baseUrl: string): Response {
  const { status, title, ...usual } = problems[code]
  const { detail, errors = [], message, waits } = { ...usual, ...words }
  const body = {
    type: problemAddress(baseUrl, code),
    title,
    status,
    detail,
    message,
    code,
    ...(errors.length > 0 && { errors }),
    requestId: c.get('requestId') as string,
  }
  if (waits !== undefined) c.header('retry-after', String(waits))
  if (status === 401) c.header('www-authenticate', 'Bearer')
  return c.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json; charset=utf-8' })
}

/** What the product's refusals are called here; of one that is not among them no one outside can make anything. */
const meanings: Partial<Record<RefusalCode, ProblemCode>> = {
  'invalid-argument': 'invalid_request',
  'out-of-range': 'invalid_request',
  'not-found': 'not_found',
  'already-exists': 'conflict',
  'failed-precondition': 'conflict',
  'resource-exhausted': 'too_many_requests',
  aborted: 'unavailable',
  unavailable: 'unavailable',
  'deadline-exceeded': 'unavailable',
}
const ofStatus: Record<number, ProblemCode> = {
  400: 'invalid_request',
  413: 'body_too_large',
  415: 'media_type',
}

/** The problem that an error means to the caller; null where it is an internal error. */
export function apiProblemOf(error: unknown): ApiProblem | null {
  if (error instanceof ApiProblem) return error
  if (error instanceof HTTPException) return ofHttp(error)
  const refusal = error instanceof Refusal ? error : databaseRefusal(error)
  const code = refusal && meanings[refusal.code]
  if (!code) return null
  if (code === 'unavailable') return new ApiProblem(code)
  const { waits } = (refusal.details ?? {}) as { waits?: number }
  return new ApiProblem(code, { message: refusal.description, waits })
}

function ofHttp({ status }: HTTPException): ApiProblem | null {
  const code = ofStatus[status]
  if (!code) return null
  return code === 'invalid_request'
    ? new ApiProblem(code, { message: 'El cuerpo no es JSON válido.', detail: 'The body is not valid JSON.' })
    : new ApiProblem(code)
}

type Issue = {
  path: readonly PropertyKey[]
  code?: string | undefined
  message: string
  keys?: readonly string[]
  values?: readonly unknown[]
  expected?: string
}

/** Wrong fields, each by its path ("vehicle.year"); a field or query parameter that there is not, by its name. */
export const invalidFields = (issues: readonly Issue[], target = 'json') =>
  new ApiProblem('invalid_request', { errors: issues.flatMap((issue) => fieldErrors(issue, target)) })

function fieldErrors(issue: Issue, target: string): FieldError[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return (issue.keys ?? []).map((key) => {
      const field = [...path, key].join('.')
      const [what, english] = target === 'query' ? ['parámetro', 'parameter'] : ['campo', 'field']
      return {
        field,
        message: `El ${what} «${field}» no existe.`,
        detail: `The ${english} "${field}" does not exist.`,
      }
    })
  const field = path.join('.')
  const [message = '', detail = ''] = wordsOf(issue).map((words) => words.replaceAll('{}', field || 'body'))
  return [{ field, message, detail }]
}

const typeNames: Record<string, readonly [string, string]> = {
  string: ['texto', 'text'],
  number: ['un número', 'a number'],
  int: ['un número entero', 'a whole number'],
  object: ['un objeto', 'an object'],
}

/** What is wrong, in Spanish and English; {} stands for the field. A schema says both itself where it has more to say (`rule`). */
function wordsOf({ code, expected = '', message, values }: Issue): readonly string[] {
  const said = message.split(between)
  if (said.length === 2) return said
  if (code === 'invalid_value' && values) {
    const all = values.map((value) => JSON.stringify(value)).join(', ')
    return values.length === 1
      ? [`{} debe ser ${all}`, `{} must be ${all}`]
      : [`{} debe ser uno de estos: ${all}`, `{} must be one of these: ${all}`]
  }
  const type = code === 'invalid_type' && typeNames[expected]
  return type ? [`{} debe ser ${type[0]}`, `{} must be ${type[1]}`] : ['{} no es válido', '{} is not valid']
}

const between = ' | '

/** What a schema says of a field that breaks its rule, in Spanish and in English; {} stands for the field's name. */
export const rule = (spanish: string, english: string) => spanish + between + english
