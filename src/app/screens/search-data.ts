import { type LoaderFunctionArgs, redirect } from 'react-router'
import { guard } from '../../access/rules/routes.ts'
import { requestOf } from '../../kit/request.ts'
import { searchedFor } from './search-hits.ts'
import { searchPath } from './search-path.ts'

/** What the search finds, for the palette. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const { actor, modules } = requestOf(context)
  const elsewhere = guard(searchPath, actor, modules)
  if (elsewhere) throw redirect(elsewhere)
  return Response.json(await searchedFor(context, url))
}
