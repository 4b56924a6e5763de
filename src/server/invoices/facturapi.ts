import { Readable } from 'node:stream'
import Facturapi, { FacturapiError } from 'facturapi'
import type { Cfdi } from '../../domain/invoices/cfdi-schema.ts'
import { facturapiBody } from './facturapi-body.ts'

/** Of the environment: whose account, and where it is asked. */
export type Stamper = { key: string; url: string }

/** Why a provider did not stamp, in words for staff; `lasting` ones are not helped by trying again. */
export class NotStamped extends Error {
  readonly lasting: boolean
  constructor(words: string, lasting: boolean) {
    super(words)
    this.name = 'NotStamped'
    this.lasting = lasting
  }
}

/**
 * Has a request stamped, and answers the provider's id of it. Asked again under the same key it is the one stamped before:
 * looked for first, for an answer may have been lost, and told so by the key, for two may ask at once.
 */
export const stamp = (stamper: Stamper, key: string, request: Cfdi): Promise<string> =>
  asked(async () => {
    const { invoices } = clientOf(stamper)
    const known = await invoices.list({ external_id: key })
    const living = known.data.find(({ status }) => status === 'valid' || status === 'pending')
    const stamped = living ?? (await invoices.create(facturapiBody(request, key)))
    return stamped.id
  })

/** The two files of what was stamped. */
export const stampedFiles = (stamper: Stamper, id: string) =>
  asked(async () => {
    const { invoices } = clientOf(stamper)
    return {
      xml: await bytesOf(await invoices.downloadXml(id)),
      pdf: await bytesOf(await invoices.downloadPdf(id)),
    }
  })

function clientOf({ key, url }: Stamper): Facturapi {
  const client = new Facturapi(key)
  client.BASE_URL = url
  return client
}

const patience = 30_000
const largest = 5 * 1024 * 1024

/** Without a limit of its own, the library waits as long as the other side keeps the line open. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => limit.reject(new NotStamped('Facturapi no respondió a tiempo.', false)),
    patience,
  )
  try {
    return await Promise.race([ask(), limit.promise])
  } catch (error) {
    throw notStamped(error)
  } finally {
    clearTimeout(timer)
  }
}

function notStamped(error: unknown): Error {
  if (error instanceof NotStamped) return error
  if (!(error instanceof FacturapiError)) return new NotStamped('Facturapi no respondió.', false)
  const { message, status } = error
  if (status === 401 || status === 403)
    return new NotStamped('Facturapi no acepta la llave configurada.', true)
  const lasting = status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
  return new NotStamped(`Facturapi: ${message.slice(0, 300)}`, lasting)
}

type Download = Awaited<ReturnType<Facturapi['invoices']['downloadXml']>>

async function bytesOf(file: Download): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const source = file instanceof Blob ? file.stream() : file instanceof Readable ? file : []
  for await (const part of source as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > largest) throw new NotStamped('Facturapi mandó un archivo demasiado grande.', true)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
