import { OpenAPIHono } from '@hono/zod-openapi'
import { routes } from './routes.ts'
import { message } from './schemas.ts'

export const apiVersion = '1.0.0'

const introduction = `Para que el sistema de una concesionaria registre a sus clientes y sepa en qué van. Todo va y viene en JSON, por HTTPS; las fechas son ISO 8601 en UTC. La página de lectura está en /api/v1.`

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
    ...{ method: 'post', path: 'client.stage_changed', operationId: 'clientStageChanged', tags: ['Avisos'] },
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
