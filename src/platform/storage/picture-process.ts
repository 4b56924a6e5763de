/**
 * A separate process: an attack by an uploaded picture on a decoder must reach neither our memory nor our secrets. Node
 * runs this file directly, also under the built application, so it imports only files beside it.
 */
import { open } from 'node:fs/promises'
import { headLength, kindOf } from '../../documents/rules/picture-kind.ts'
import { makeSizes, type PictureAnswer, type PictureQuestion } from './picture-sizes.ts'

/** Memory that decoders did not give back ends with the process. */
const mostResident = 200_000_000

process.on('message', async ({ file, isSignature }: PictureQuestion) => {
  const kind = kindOf(await headOf(file))
  const made = kind ? await makeSizes({ file, kind, isSignature }) : 'unknown-kind'
  // A WebAssembly decoder that failed midway cannot be used again.
  const retires = (kind === 'heic' && typeof made === 'string') || process.memoryUsage.rss() > mostResident
  process.send?.({ made, retires } satisfies PictureAnswer)
})
process.on('disconnect', () => process.exit(0))
// A terminal's Ctrl-C reaches every process of the group; the parent lets requests end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function headOf(file: string) {
  const handle = await open(file)
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(headLength), 0, headLength, 0)
    .finally(() => handle.close())
  return buffer.subarray(0, bytesRead)
}
