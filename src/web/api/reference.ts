import type { apiDocument } from '../../server/api/document.ts'
import {
  exampleOf,
  type FieldWords,
  fieldsOf,
  resolved,
  type Schema,
  type Schemas,
  typeInWords,
} from './schema-words.ts'

type Document = ReturnType<typeof apiDocument>
type Content = { content?: Record<string, { schema?: Schema }>; description?: string }
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** An operation as the page tells it. */
export type Told = {
  id: string
  tag: string
  method: string
  path: string
  summary: string
  description: string
  scope: string | null
  parameters: (FieldWords & { where: string })[]
  body: { fields: FieldWords[]; example: string } | null
  answer: { status: string; description: string; fields: FieldWords[]; example: string | null }
  refusals: { status: string; description: string }[]
  curl: string
}

const places: Record<string, string> = { path: 'en la ruta', query: 'en la dirección', header: 'encabezado' }
const json = (value: unknown) => JSON.stringify(value, null, 2)
const schemaIn = ({ content = {} }: Content) => Object.values(content)[0]?.schema ?? null

/** The whole document, in the order of its operations, as the page tells it. */
export function referenceOf(document: Document) {
  const schemas = (document.components?.schemas ?? {}) as Schemas
  const base = document.servers?.[0]?.url ?? ''
  const told = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) =>
      tell(operation, { method: method.toUpperCase(), path, base, schemas }),
    ),
  )
  const webhooks = Object.entries(document.webhooks ?? {}).map(([name, methods]) => {
    const { description, parameters, requestBody } = (methods as { post: Operation }).post
    const schema = schemaIn(requestBody ?? {}) ?? {}
    return {
      ...{ name, description, parameters: (parameters ?? []).map((one) => parameterOf(one, schemas)) },
      ...{ fields: fieldsOf(schema, schemas), example: json(exampleOf(schema, schemas)) },
    }
  })
  const tags = [...new Set(told.map(({ tag }) => tag))]
  const groups = tags.map((tag) => ({ tag, operations: told.filter((one) => one.tag === tag) }))
  return { base, version: document.info.version, title: document.info.title, groups, webhooks }
}

export type Reference = ReturnType<typeof referenceOf>

type Where = { method: string; path: string; base: string; schemas: Schemas }

function tell(operation: Operation, where: Where): Told {
  const { operationId: id, tags, summary, description, security, parameters = [], responses } = operation
  const [status = '', content = {}] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const sent = schemaIn(operation.requestBody ?? {})
  const answered = schemaIn(content)
  const body = sent && {
    fields: fieldsOf(sent, where.schemas),
    example: json(exampleOf(sent, where.schemas)),
  }
  return {
    ...{ id, tag: tags[0] ?? '', method: where.method, path: where.path, summary, description, body },
    scope: Object.values(security?.[0] ?? {}).flat()[0] ?? null,
    parameters: parameters.map((one) => parameterOf(one, where.schemas)),
    answer: {
      ...{ status, description: content.description ?? '' },
      fields: answered ? fieldsOf(answered, where.schemas) : [],
      example: answered && json(exampleOf(answered, where.schemas)),
    },
    refusals: Object.entries(responses)
      .filter(([code]) => !code.startsWith('2'))
      .map(([code, { description = '' }]) => ({ status: code, description })),
    curl: curlOf(operation, where, body?.example ?? null),
  }
}

function parameterOf(parameter: Parameter, schemas: Schemas) {
  const { name, in: place, required = false, description, schema = {} } = parameter
  const known = resolved(schema, schemas)
  const words = description ?? known.description ?? ''
  return { name, required, type: typeInWords(known), description: words, where: places[place] ?? place }
}

function curlOf({ parameters = [] }: Operation, { method, path, base, schemas }: Where, body: string | null) {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known = parameters.find((parameter) => parameter.name === name)
    return String(exampleOf(known?.schema ?? {}, schemas))
  })
  const named = parameters.find(({ in: place }) => place === 'header')
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${base}${address}`,
    `  -H "Authorization: Bearer $LLAVE"`,
    ...(named ? [`  -H "${named.name}: ${exampleOf(named.schema ?? {}, schemas)}"`] : []),
    ...(body ? [`  -H "Content-Type: application/json"`, `  -d '${body}'`] : []),
  ].join(' \\\n')
}
