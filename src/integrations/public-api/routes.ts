import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { type ApiScope, apiScopes } from '../../agencies/rules/integrations.ts'
import { needs } from './keys.ts'
import { type ProblemCode, problems } from './problems.ts'
import {
  byId,
  client,
  clientFilterQuery,
  code,
  event,
  message,
  newClient,
  pageSchemaOf,
  paging,
  problem,
  registeredClient,
} from './schemas.ts'

// The operations: what each takes, answers and refuses. The server, the document and the page are made of these.
const limitHeaders = {
  'RateLimit-Policy': {
    schema: { type: 'string' as const },
    description: 'Cuántas solicitudes caben en cuántos segundos.',
  },
  RateLimit: {
    schema: { type: 'string' as const },
    description: 'Cuántas quedan, y en cuántos segundos vuelven a contarse desde cero.',
  },
}

const answers = <Status extends number, Schema extends z.ZodType>(
  status: Status,
  description: string,
  schema: Schema,
) =>
  ({ [status]: { description, headers: limitHeaders, content: { 'application/json': { schema } } } }) as {
    [Key in Status]: {
      description: string
      headers: typeof limitHeaders
      content: { 'application/json': { schema: Schema } }
    }
  }

const always: readonly ProblemCode[] = [
  'key_missing',
  'key_unknown',
  'key_revoked',
  'key_expired',
  'agency_inactive',
  'scope_missing',
  'too_many_requests',
  'internal',
  'unavailable',
]

/** By status, since that is how the document lists them; the code names the problem. */
function refusals(...own: ProblemCode[]) {
  const byStatus = Object.groupBy([...own, ...always], (name) => problems[name].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, names]) => [
      status,
      {
        description: names.map((name) => `\`${name}\` ${problems[name].message}`).join(' '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  )
}

const opens = (scope: ApiScope) => ({ security: [{ llave: [scope] }], middleware: needs(scope) })
const noQuery = z.strictObject({})
const permission = (scope: ApiScope) => `Permiso: \`${scope}\` (${apiScopes[scope].toLowerCase()}).`

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional()
  .openapi({
    description:
      'Un nombre tuyo para esta solicitud, como un UUID. Si la repites dentro de un día, se contesta lo mismo, con `Idempotent-Replayed: true`, y no se registra otra vez. Un error 4xx no se guarda: corrige y usa la misma. Sin ella, lo mismo vale para el mismo teléfono y nombre.',
    example: '7f9c2b1e-5d0a-4c38-9a2f-0a6a5b1d2c3e',
  })

export const createClientRoute = createRoute({
  method: 'post',
  path: '/clients',
  operationId: 'createClient',
  tags: ['Clientes'],
  ...opens('clients:write'),
  summary: 'Registrar un cliente',
  description: `Registra a quien dio su consentimiento y contesta su enlace de invitación; si hay correo, también se lo enviamos. La respuesta es igual si esa persona ya tiene cuenta o no. Mientras su invitación siga abierta, con el mismo teléfono y el mismo nombre se contesta ese cliente, con 200 y un enlace nuevo; si alguien más ya invitó ese teléfono o correo, \`client_exists\`. ${permission('clients:write')}`,
  request: {
    query: noQuery,
    headers: z.object({ 'idempotency-key': idempotencyKey }),
    body: { required: true, content: { 'application/json': { schema: newClient } } },
  },
  responses: {
    ...answers(201, 'El cliente, y el enlace que le das.', registeredClient),
    ...answers(200, 'El cliente que ya registraste, y un enlace nuevo.', registeredClient),
    ...refusals(
      ...(['invalid_request', 'code_unusable', 'client_exists', 'conflict', 'body_too_large'] as const),
      ...(['media_type', 'idempotency_key_reused'] as const),
    ),
  },
})

export const listClientsRoute = createRoute({
  method: 'get',
  path: '/clients',
  operationId: 'listClients',
  tags: ['Clientes'],
  ...opens('clients:read'),
  summary: 'Ver tus clientes',
  description: `Los clientes de tu concesionaria, del más antiguo al más nuevo. ${permission('clients:read')}`,
  request: { query: clientFilterQuery },
  responses: {
    ...answers(200, 'Una página.', pageSchemaOf(client, 'ClientPage')),
    ...refusals('invalid_request'),
  },
})

export const getClientRoute = createRoute({
  method: 'get',
  path: '/clients/{id}',
  operationId: 'getClient',
  tags: ['Clientes'],
  ...opens('clients:read'),
  summary: 'Ver un cliente',
  description: `En qué va un cliente de tu concesionaria. ${permission('clients:read')}`,
  request: { params: byId, query: noQuery },
  responses: { ...answers(200, 'El cliente.', client), ...refusals('invalid_request', 'not_found') },
})

export const listCodesRoute = createRoute({
  method: 'get',
  path: '/codes',
  operationId: 'listCodes',
  tags: ['Códigos'],
  ...opens('codes:read'),
  summary: 'Ver tus códigos',
  description: `Los códigos de tu concesionaria; se registran clientes con los activos. ${permission('codes:read')}`,
  request: { query: paging },
  responses: {
    ...answers(200, 'Una página.', pageSchemaOf(code, 'CodePage')),
    ...refusals('invalid_request'),
  },
})

export const listEventsRoute = createRoute({
  method: 'get',
  path: '/events',
  operationId: 'listEvents',
  tags: ['Avisos'],
  ...opens('events:read'),
  summary: 'Ver los avisos',
  description: `Cada cambio de etapa, del más antiguo al más nuevo, unos segundos después de que ocurre. Sirve para revisar si te perdiste de algo. ${permission('events:read')}`,
  request: { query: paging },
  responses: {
    ...answers(200, 'Una página.', pageSchemaOf(event, 'EventPage')),
    ...refusals('invalid_request'),
  },
})

const replayed = z
  .object({ deliveries: z.int().openapi({ description: 'A cuántos destinos.', example: 1 }) })
  .openapi('Replay')

export const replay = createRoute({
  method: 'post',
  path: '/events/{id}/replay',
  operationId: 'replayEvent',
  tags: ['Avisos'],
  ...opens('events:replay'),
  summary: 'Volver a enviar un aviso',
  description: `Lo envía otra vez, con el mismo id, a los destinos encendidos de tu concesionaria. ${permission('events:replay')}`,
  request: { params: byId, query: noQuery },
  responses: {
    ...answers(202, 'En camino.', replayed),
    ...refusals('invalid_request', 'not_found', 'conflict'),
  },
})

export const testWebhooks = createRoute({
  method: 'post',
  path: '/webhooks/test',
  operationId: 'testWebhooks',
  tags: ['Avisos'],
  ...opens('events:replay'),
  summary: 'Mandar un aviso de prueba',
  description: `Manda un \`webhook.test\`, sin datos de nadie, a los destinos encendidos de tu concesionaria: así compruebas que tu servidor recibe y revisa la firma. ${permission('events:replay')}`,
  request: { query: noQuery },
  responses: {
    ...answers(202, 'En camino.', replayed),
    ...refusals('invalid_request', 'conflict'),
  },
})

export const routes = [
  createClientRoute,
  listClientsRoute,
  getClientRoute,
  listCodesRoute,
  listEventsRoute,
  replay,
  testWebhooks,
]

const apiVersion = '1.2.0'

const introduction = `Para que el sistema de una concesionaria registre a sus clientes y sepa en qué van. Todo va y viene en JSON, por HTTPS; las fechas son ISO 8601 en UTC. La página de lectura está en /api/v1. Con una llave de prueba (\`cec_prueba_\`) cada solicitud se revisa igual y se contesta con ejemplos: no se guarda ni se envía nada, y no se lee nada de tu concesionaria.`

const signature = `Se envía por POST a los destinos de tu concesionaria, firmado según Standard Webhooks: los encabezados webhook-id, webhook-timestamp y webhook-signature. Contesta 2xx antes de 10 segundos.`

const text = (description: string, example: string) => ({
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
})
const sentHeaders = [
  { name: 'webhook-id', in: 'header' as const, ...text('El id del aviso: se repite si se reenvía.', 'evt…') },
  { name: 'webhook-timestamp', in: 'header' as const, ...text('Segundos desde 1970.', '1795192200') },
  { name: 'webhook-signature', in: 'header' as const, ...text('v1, y la firma en base64.', 'v1,K5oZfzN9…') },
]

/** The interface as an OpenAPI 3.1 document. `baseUrl` is the address people reach us by. */
export function apiDocument(brand: string, baseUrl: string) {
  const made = new OpenAPIHono()
  const registry = made.openAPIRegistry
  registry.registerComponent('securitySchemes', 'llave', {
    type: 'http',
    scheme: 'bearer',
    description: 'La llave que la gerencia hace para tu concesionaria. Guárdala como una contraseña.',
  })
  for (const { middleware: _, ...route } of routes) registry.registerPath(route)
  registry.registerWebhook({
    method: 'post',
    path: 'client.stage_changed',
    operationId: 'clientStageChanged',
    tags: ['Avisos'],
    summary: 'Un cliente cambió de etapa',
    description: signature,
    request: { body: { required: true, content: { 'application/json': { schema: message } } } },
    responses: { '2XX': { description: 'Recibido. Con cualquier otra respuesta se vuelve a intentar.' } },
  })
  const document = made.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: `${brand} para concesionarias`, version: apiVersion, description: introduction },
    servers: [{ url: `${baseUrl}/api/v1` }],
    tags: [{ name: 'Clientes' }, { name: 'Códigos' }, { name: 'Avisos' }],
  })
  for (const path of Object.values(document.webhooks ?? {}))
    if ('post' in path && path.post) path.post.parameters = sentHeaders
  return document
}
