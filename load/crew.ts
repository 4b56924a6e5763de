import { fork } from 'node:child_process'
import path from 'node:path'
import type { Mark } from './drive.ts'
import type { Done, Order } from './generator.ts'

type WithoutId<One> = One extends { id: number } ? Omit<One, 'id'> : never

/** The process that asks: apart from ours, so that what we count does not hold it up. */
export function openGenerator() {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced' })
  const open = new Map<number, (marks: Mark[]) => void>()
  let last = 0
  let lost: Error | undefined
  child.on('message', ({ id, marks }: Done) => {
    open.get(id)?.(marks)
    open.delete(id)
  })
  child.once('exit', (code) => {
    lost = new Error(`the generator ended (${code})`)
  })
  return {
    pid: child.pid!,
    order: (order: WithoutId<Order>) =>
      new Promise<Mark[]>((resolve, reject) => {
        if (lost) return reject(lost)
        const id = ++last
        open.set(id, resolve)
        child.once('exit', () => reject(lost))
        child.send({ ...order, id })
      }),
    close: () => child.disconnect(),
  }
}

export type Generator = ReturnType<typeof openGenerator>
