import { type LoaderFunctionArgs, redirect } from 'react-router'
import { guard } from '../../access/rules/routes.ts'
import { actor, enabledModules } from '../context.ts'
import { searchedFor } from './search-hits.ts'
import { searchPath } from './search-path.ts'

/** What the search finds, for the palette. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const elsewhere = guard(searchPath, context.get(actor), context.get(enabledModules))
  if (elsewhere) throw redirect(elsewhere)
  return Response.json(await searchedFor(context, url))
}
