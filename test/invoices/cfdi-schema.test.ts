import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cfdiSchema } from '../../src/domain/invoices/cfdi-schema.ts'

const file = new URL('../../docs/cfdi.schema.json', import.meta.url)

// WRITE_SCHEMA=1 writes it anew; `npx biome format --write docs/cfdi.schema.json` then lays it out.
test('docs/cfdi.schema.json is what the schema of requests says', () => {
  const made = z.toJSONSchema(cfdiSchema)
  if (process.env.WRITE_SCHEMA) writeFileSync(file, JSON.stringify(made))
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(made)
})
