import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { changesInput, pressedInput } from '../../domain/reports/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { pressedMove } from '../appointments/field.ts'
import { pressedAt } from '../appointments/pressed.ts'
import type { Db } from '../platform/database/database.ts'
import type { OnsiteEnv } from '../platform/http/onsite.ts'
import { saveAnswers } from './answers.ts'
import { submitSheet } from './submit.ts'

/** Where a phone sends the answers of a sheet, and the steps made without a network. */
export function sheetEndpoints(db: Db): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  app.post('/:appointment/answers', async (c) => {
    const { changes } = await sent(c, changesInput)
    return c.json(
      await saveAnswers(db, c.get('actor'), c.req.param('appointment'), changes as Changes, new Date()),
    )
  })
  app.post('/:appointment/moves', async (c) => {
    const { at, checklist: ticked = [], move, reason = null } = await sent(c, pressedInput)
    const [id, actor, now] = [c.req.param('appointment'), c.get('actor'), new Date()]
    const { state } =
      move === 'submit'
        ? await submitSheet(db, actor, id, { at: pressedAt(at, now), note: null, mayClaim: true }, now)
        : await pressedMove(db, actor, id, { move, at, reason, ticked }, now)
    return c.json({ state })
  })
  return app
}

type Changes = Parameters<typeof saveAnswers>[3]

async function sent<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await c.req.json().catch(() => undefined))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse('invalid-argument', undefined, { path: issue?.path, message: issue?.message })
  }
  return parsed.data
}
