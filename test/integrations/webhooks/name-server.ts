import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { resolver } from '../../../src/platform/outside.ts'

/** What is asked for (RFC 1035, 3596). */
const types = { A: 1, AAAA: 28 } as const

/** A name server of our own, asked instead of the machine's: it answers what the table says at that moment. */
export async function openNameServer(names: Record<string, string[]>) {
  const socket = createSocket('udp4')
  socket.on('message', (question, { address, port }) => socket.send(answerTo(question, names), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const usual = resolver.getServers()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return async () => {
    resolver.setServers(usual)
    socket.close()
    await once(socket, 'close')
  }
}

function answerTo(question: Buffer, names: Record<string, string[]>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = question.readUInt16BE(at + 1)
  const wanted = (names[labels.join('.').toLowerCase()] ?? []).filter(
    (address) => type === (isIPv4(address) ? types.A : types.AAAA),
  )
  const head = Buffer.from(question.subarray(0, 12))
  // An answer, recursion available; no such name where there is none.
  head.writeUInt16BE(labels.join('.').toLowerCase() in names ? 0x8180 : 0x8183, 2)
  for (const [count, offset] of [
    [1, 4],
    [wanted.length, 6],
    [0, 8],
    [0, 10],
  ] as const)
    head.writeUInt16BE(count, offset)
  return Buffer.concat([
    head,
    question.subarray(12, at + 5),
    ...wanted.map((address) => record(type, address)),
  ])
}

function record(type: number, address: string): Buffer {
  const bytes = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]),
      )
  const head = Buffer.alloc(12)
  // The name is the question's; class IN, kept no time at all.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}
