import { requestOf } from '../../kit/request.ts'
import { noteForm } from '../../platform/http/form-answers.ts'
import { failed, Refusal, type Result, refusals } from '../../shared/refusal.ts'
import { operations } from '../email-operations.ts'
import { signInErrors } from '../rules/sign-in-errors.ts'
import type { Route } from './+types/endpoint.ts'

/** Sign-in operations for our pages' scripts (specification §7): JSON in, `{ ok, value }` or `{ ok, error }` out. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const name = params.operation
  if (!isOperation(name)) return answer(failed(new Refusal('unimplemented')))
  // A form of another site can't send this type without a preflight.
  const isJson = request.headers.get('content-type')?.startsWith('application/json')
  const sent: unknown = isJson ? await request.json().catch(() => undefined) : undefined
  const texts = Object.entries({ ...(sent as Record<string, string>) }).filter(
    ([, value]) => typeof value === 'string',
  )
  await noteForm(Object.fromEntries(texts))
  const { result, headers } = await operations[name](requestOf(context).caller, sent)
  return answer(result, headers)
}

/** No operation runs on a GET. */
export const loader = () => answer(failed(new Refusal('unimplemented')))

const isOperation = (name: string): name is keyof typeof operations => Object.hasOwn(operations, name)

function answer(result: Result<unknown>, given?: Headers): Response {
  const headers = new Headers(given)
  headers.set('cache-control', 'no-store')
  return Response.json(result, { status: result.ok ? 200 : statusOf(result.error.code), headers })
}

const statusOf = (code: string) =>
  code in signInErrors ? 500 : (refusals[code as keyof typeof refusals]?.status ?? 500)
