import { type MiddlewareFunction, redirect } from 'react-router'

/**
 * Redirects from an address that named its part in the query to the part's own, where `pathOf` knows one, keeping
 * the rest of the query; a form sent there is sent on as it is (308).
 */
export const movedFromQuery =
  (
    name: string,
    pathOf: (value: string, params: Readonly<Record<string, string | undefined>>) => string | null,
  ): MiddlewareFunction<Response> =>
  ({ params, request, url }) => {
    const query = new URLSearchParams(url.search)
    const value = query.get(name)
    const path = value === null ? null : pathOf(value, params)
    if (path === null) return
    for (const gone of [name, 'index', '_routes']) query.delete(gone)
    const isRead = ['GET', 'HEAD'].includes(request.method)
    throw redirect(query.size > 0 ? `${path}?${query}` : path, isRead ? 301 : 308)
  }
