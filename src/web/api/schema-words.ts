/** As much of a JSON Schema as the interface's document uses. */
export type Schema = {
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
export type Schemas = Record<string, Schema>

/** A field of an object, in words; those of an object inside carry its name before them ("vehicle.year"). */
export type FieldWords = { name: string; type: string; required: boolean; description: string }

/** What a reference stands for, and what is said beside it. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const parts = [
    ...(schema.allOf ?? []),
    ...(schema.$ref ? [schemas[schema.$ref.split('/').at(-1)!] ?? {}] : []),
  ]
  return Object.assign({}, ...parts.map((part) => resolved(part, schemas)), schema)
}

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
export function typeInWords({ type, format, enum: values }: Schema): string {
  const types = [type ?? 'object'].flat()
  const word = (one: string) =>
    one === 'null' ? 'null' : (formatWords[format ?? ''] ?? typeWords[one] ?? one)
  if (values?.length === 1) return `siempre ${JSON.stringify(values[0])}`
  return types.map(word).join(' o ')
}

/** The fields of an object and of the objects in it, in their order. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = ''): FieldWords[] {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = resolved(property, schemas)
    const inside = field.items ? resolved(field.items, schemas) : field
    const path = `${prefix}${name}`
    const own = {
      ...{ name: path, type: typeInWords(field), required: required.includes(name) },
      description: field.description ?? '',
    }
    return [
      own,
      ...(inside.properties ? fieldsOf(inside, schemas, `${path}${field.items ? '[]' : ''}.`) : []),
    ]
  })
}

/** A value that the schema takes, made of the examples in it. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const known = resolved(schema, schemas)
  if (known.example !== undefined) return known.example
  if (known.properties)
    return Object.fromEntries(
      Object.entries(known.properties).map(([name, property]) => [name, exampleOf(property, schemas)]),
    )
  if (known.items) return [exampleOf(known.items, schemas)]
  if (known.enum) return known.enum[0]
  return [known.type].flat().includes('null') ? null : ''
}
