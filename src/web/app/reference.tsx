import type { apiDocument } from '../../server/integrations/public-api/routes.ts'
import { Details } from '../ui/card.tsx'

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
type FieldWords = {
  name: string
  type: string
  required: boolean
  description: string
  where?: string | undefined
}
export type Reference = ReturnType<typeof referenceOf>
/** One operation of the document. */
type Operation = Reference['groups'][number]['operations'][number]

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
    const type = typeInWords(known)
    return { name, required, type, description: words, where: places[place] ?? place }
  }
  /** The fields of a body and an example of it; none where there is no body. */
  function content({ content = {} }: Content = {}) {
    const schema = Object.values(content)[0]?.schema
    if (!schema) return { fields: [], example: null }
    return { fields: fields(schema), example: JSON.stringify(example(schema), null, 2) }
  }
  return { content, example, parameter }
}

/** One operation: what it does, its parameters and answers, and how to call it. */
export function OperationCard({ operation }: { operation: Operation }) {
  const { id, method, path, summary, description, parameters, body, answer, refusals, curl } = operation
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-4 border-t border-line pt-6"
    >
      <div className="grid gap-1.5">
        <h3 id={`${id}-title`} className="text-lg font-semibold">
          {summary}
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <span className="rounded-control bg-brand-soft px-2 py-0.5 text-sm font-semibold text-brand">
            {method}
          </span>
          <code className="wrap-anywhere">{path}</code>
        </p>
      </div>
      <p>
        <WithCode>{description}</WithCode>
      </p>
      <CodeBlock label="Ejemplo">{curl}</CodeBlock>
      <FieldList title="Parámetros" fields={parameters} />
      <FieldList title="Cuerpo" fields={body.fields} />
      {answer.example && <CodeBlock label={`Respuesta ${answer.status}`}>{answer.example}</CodeBlock>}
      <Details summary="Campos de la respuesta y errores">
        <FieldList title={`Respuesta ${answer.status}`} fields={answer.fields} />
        <dl className="grid gap-2">
          {refusals.map(({ status, description: words }) => (
            <div key={status} className="grid gap-x-5 sm:grid-cols-[3rem_minmax(0,1fr)]">
              <dt className="font-semibold">{status}</dt>
              <dd className="text-[0.9375rem]">
                <WithCode>{words}</WithCode>
              </dd>
            </div>
          ))}
        </dl>
      </Details>
    </section>
  )
}

/** What is sent or answered, field by field. */
export function FieldList({ title, fields }: { title: string; fields: readonly FieldWords[] }) {
  if (fields.length === 0) return null
  return (
    <div className="grid gap-2">
      <p aria-hidden className="font-semibold">
        {title}
      </p>
      <dl aria-label={title} className="divide-y divide-line border-y border-line">
        {fields.map(({ name, type, required, description, where }) => (
          <div key={name} className="grid gap-x-5 gap-y-0.5 py-2.5 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="min-w-0">
              <code className="text-[0.875rem] font-semibold wrap-anywhere">{name}</code>
              <span className="block text-sm text-mute">
                {[type, where, required ? null : 'opcional'].filter(Boolean).join(', ')}
              </span>
            </dt>
            <dd className="min-w-0 text-[0.9375rem]">
              <WithCode>{description}</WithCode>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Program text as it is; a long line is scrolled to, also by keyboard. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <figure className="grid min-w-0 gap-1.5">
      <figcaption className="text-sm font-semibold text-mute">{label}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-hover p-3.5 text-[0.8125rem]/5 sm:p-4"
      >
        <code>{children}</code>
      </pre>
    </figure>
  )
}

/** Text in which the words between backticks are code. */
export function WithCode({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have nothing else.
      <Code key={at}>{part}</Code>
    ),
  )
}

export const Code = ({ children }: { children: string }) => (
  <code className="rounded bg-hover px-1 py-0.5 text-[0.875em] wrap-anywhere">{children}</code>
)
