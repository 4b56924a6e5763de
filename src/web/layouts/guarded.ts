import { type MiddlewareFunction, redirect } from 'react-router'
import { guard } from '../../domain/screens.ts'
import { actor } from '../../server/context.ts'

/** Sends away whoever may not see this path: pages, data requests and posts alike (specification §5). */
export const guarded: MiddlewareFunction<Response> = ({ url, context }) => {
  const elsewhere = guard(url.pathname, context.get(actor))
  if (elsewhere) throw redirect(elsewhere)
}
