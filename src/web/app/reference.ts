import type { apiDocument } from '../../server/integrations/public-api/routes.ts'

/** As much of a JSON Schema as the interface's document uses. */
type Schema = {
  $ref?: string
  allOf?: Schema[]
  type?: string | string[]
  format?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  description?: string
  example?: unknown
}
type Content = { content?: Record<string, { schema?: Schema }>; description?: string }
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** A field of an object, in words; those of an object inside carry its name before them ("vehicle.year"). */
export type FieldWords = {
  name: string
  type: string
  required: boolean
  description: string
  where?: string | undefined
}
export type Reference = ReturnType<typeof referenceOf>
export type Operation = Reference['groups'][number]['operations'][number]

/** The whole document, in the order of its operations, as the page shows it. */
export function referenceOf(document: ReturnType<typeof apiDocument>) {
  const base = document.servers?.[0]?.url ?? ''
  const reader = schemaReader((document.components?.schemas ?? {}) as Record<string, Schema>)
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OperationObject>).map(([method, operation]) =>
      operationOf(operation, method.toUpperCase(), path, base, reader),
    ),
  )
  const webhooks = Object.entries(document.webhooks ?? {}).map(([name, methods]) => {
    const { description, parameters = [], requestBody } = (methods as { post: OperationObject }).post
    return { name, description, parameters: parameters.map(reader.parameter), ...reader.content(requestBody) }
  })
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const groups = tags.map((tag) => ({ tag, operations: operations.filter((one) => one.tag === tag) }))
  return { base, title: document.info.title, groups, webhooks }
}

type Reader = ReturnType<typeof schemaReader>

function operationOf(
  { operationId: id, tags, summary, description, parameters = [], requestBody, responses }: OperationObject,
  method: string,
  path: string,
  base: string,
  reader: Reader,
) {
  const answers = Object.entries(responses)
  const [status = '', answered] = answers.find(([code]) => code.startsWith('2')) ?? []
  const body = reader.content(requestBody)
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(reader.example(parameters.find((parameter) => parameter.name === name)?.schema ?? {})),
  )
  const header = parameters.find((parameter) => parameter.in === 'header')
  const curl = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${base}${address}`,
    `  -H "Authorization: Bearer $LLAVE"`,
    ...(header ? [`  -H "${header.name}: ${reader.example(header.schema ?? {})}"`] : []),
    ...(body.example ? [`  -H "Content-Type: application/json"`, `  -d '${body.example}'`] : []),
  ].join(' \\\n')
  return {
    id,
    tag: tags[0] ?? '',
    method,
    path,
    summary,
    description,
    curl,
    body,
    parameters: parameters.map(reader.parameter),
    answer: { status, ...reader.content(answered) },
    refusals: answers
      .filter(([code]) => !code.startsWith('2'))
      .map(([code, { description: words = '' }]) => ({ status: code, description: words })),
  }
}

const places: Record<string, string> = { path: 'en la ruta', query: 'en la dirección', header: 'encabezado' }
const typeWords: Record<string, string> = {
  string: 'texto',
  integer: 'entero',
  number: 'número',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
}
const formatWords: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'fecha y hora',
  date: 'fecha',
  uri: 'dirección',
}

/** "texto", "fecha y hora o null", "lista". */
function typeInWords({ type, format, enum: values }: Schema): string {
  if (values?.length === 1) return `siempre ${JSON.stringify(values[0])}`
  const word = (one: string) =>
    one === 'null' ? 'null' : (formatWords[format ?? ''] ?? typeWords[one] ?? one)
  return [type ?? 'object'].flat().map(word).join(' o ')
}

/** Reads schemas, whose references stand for those of the document. */
function schemaReader(schemas: Record<string, Schema>) {
  function resolved(schema: Schema): Schema {
    const target = schema.$ref ? [schemas[schema.$ref.split('/').at(-1)!] ?? {}] : []
    return Object.assign({}, ...[...(schema.allOf ?? []), ...target].map(resolved), schema)
  }
  /** The fields of an object and of the objects in it, in their order. */
  function fields(schema: Schema, prefix = ''): FieldWords[] {
    const { properties = {}, required = [] } = resolved(schema)
    return Object.entries(properties).flatMap(([key, property]) => {
      const field = resolved(property)
      const inside = field.items ? resolved(field.items) : field
      const name = `${prefix}${key}`
      const description = field.description ?? ''
      return [
        { name, type: typeInWords(field), required: required.includes(key), description },
        ...(inside.properties ? fields(inside, `${name}${field.items ? '[]' : ''}.`) : []),
      ]
    })
  }
  /** A value that the schema takes, made of the examples in it. */
  function example(schema: Schema): unknown {
    const known = resolved(schema)
    if (known.example !== undefined) return known.example
    if (known.properties)
      return Object.fromEntries(
        Object.entries(known.properties).map(([name, property]) => [name, example(property)]),
      )
    if (known.items) return [example(known.items)]
    if (known.enum) return known.enum[0]
    return [known.type].flat().includes('null') ? null : ''
  }
  function parameter({ name, in: place, required = false, description, schema = {} }: Parameter): FieldWords {
    const known = resolved(schema)
    const words = description ?? known.description ?? ''
    return { name, required, type: typeInWords(known), description: words, where: places[place] ?? place }
  }
  /** The fields of a body and an example of it; none where there is no body. */
  function content({ content = {} }: Content = {}) {
    const schema = Object.values(content)[0]?.schema
    if (!schema) return { fields: [], example: null }
    return { fields: fields(schema), example: JSON.stringify(example(schema), null, 2) }
  }
  return { content, example, parameter }
}
