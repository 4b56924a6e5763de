import type { apiDocument } from '../../integrations/public-api/routes.ts'

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
type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** A field in words; those of an object inside carry its name before them ("vehicle.year"). */
export type FieldWords = { id?: string; name: string; facts: string; description: string }
/** One operation of the document. */
export type Operation = ReturnType<typeof referenceOf>['operations'][number]

/** The whole document, in the order of its operations, as the page shows it. */
export function referenceOf({ components, info, paths, servers, webhooks }: ReturnType<typeof apiDocument>) {
  const base = servers?.[0]?.url ?? ''
  const reader = schemaReader((components?.schemas ?? {}) as Record<string, Schema>)
  const operations = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OperationObject>).map(([method, operation]) =>
      operationOf(operation, method.toUpperCase(), path, base, reader),
    ),
  )
  const [name, { post }] = Object.entries(webhooks as Record<string, { post: OperationObject }>)[0]!
  const { description, parameters, requestBody } = post
  const sent = { parameters: reader.parameters(parameters), ...reader.content(requestBody) }
  return { base, title: info.title, operations, webhook: { name, description, ...sent } }
}

function operationOf(
  { operationId: id, tags, requestBody, responses, parameters = [], ...words }: OperationObject,
  method: string,
  path: string,
  base: string,
  { content, example, parameters: inWords }: ReturnType<typeof schemaReader>,
) {
  const answers = Object.entries(responses)
  const [status, answered] = answers.find(([code]) => code.startsWith('2')) ?? []
  const body = content(requestBody)
  const examples = Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, example(schema)]))
  const header = parameters.find((parameter) => parameter.in === 'header')?.name
  const curl = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${base}${path.replace(/\{(\w+)\}/g, (_, name: string) => String(examples[name]))}`,
    '  -H "Authorization: Bearer $LLAVE"',
    ...(header ? [`  -H "${header}: ${examples[header]}"`] : []),
    ...(body.example ? ['  -H "Content-Type: application/json"', `  -d '${body.example}'`] : []),
  ].join(' \\\n')
  return {
    id,
    tag: tags[0] ?? '',
    method,
    path,
    summary: words.summary,
    description: words.description,
    curl,
    body,
    parameters: inWords(parameters),
    status,
    answer: content(answered),
    refusals: answers.flatMap(([code, { description }]) =>
      code.startsWith('2') ? [] : { code, description },
    ),
  }
}

const places: Record<string, string> = { path: 'en la ruta', query: 'en la dirección', header: 'encabezado' }
/** Of a format, else of a type. */
const typeWords: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'fecha y hora',
  date: 'fecha',
  uri: 'dirección',
  string: 'texto',
  integer: 'entero',
  number: 'número',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
}

/** "texto", "fecha y hora o null, opcional". */
function factsOf({ type = 'object', format = '', enum: values }: Schema, isRequired = false, place?: string) {
  const word = (one: string) => (one === 'null' ? one : (typeWords[format] ?? typeWords[one] ?? one))
  const kind =
    values?.length === 1 ? `siempre ${JSON.stringify(values[0])}` : [type].flat().map(word).join(' o ')
  return [kind, place, isRequired ? null : 'opcional'].filter(Boolean).join(', ')
}

/** Reads schemas, and resolves their references in the document. */
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
      const name = `${prefix}${key}`
      const { description = '', items } = field
      return [
        { name, facts: factsOf(field, required.includes(key)), description },
        ...fields(items ?? field, `${name}${items ? '[]' : ''}.`),
      ]
    })
  }
  /** A value that the schema takes, made of the examples in it. */
  function example(schema: Schema): unknown {
    const { enum: values, example: known, items, properties, type } = resolved(schema)
    if (known !== undefined) return known
    if (properties)
      return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, example(one)]))
    if (items) return [example(items)]
    return values?.[0] ?? ([type].flat().includes('null') ? null : '')
  }
  return {
    example,
    parameters: (all: OperationObject['parameters'] = []): FieldWords[] =>
      all.map(({ name, in: place, required, description, schema = {} }) => {
        const known = resolved(schema)
        const facts = factsOf(known, required, places[place])
        return { name, facts, description: description ?? known.description ?? '' }
      }),
    /** The fields of a body and an example of it; none where there is no body. */
    content({ content = {} }: Content = {}) {
      const schema = Object.values(content)[0]?.schema
      return schema
        ? { fields: fields(schema), example: JSON.stringify(example(schema), null, 2) }
        : { fields: [], example: '' }
    },
  }
}
