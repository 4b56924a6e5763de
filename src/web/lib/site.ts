import { useRouteLoaderData } from 'react-router'
import type { loader } from '../root.tsx'

/** What every page knows of the operator; undefined only when even that could not be read. */
export const useSite = () => useRouteLoaderData<typeof loader>('root')?.site

/** The number of the request that made this page, for a person to quote. */
export const useRequestId = () => useRouteLoaderData<typeof loader>('root')?.requestId

/** The marker of the session that this page was made for. */
export const useMarker = () => useRouteLoaderData<typeof loader>('root')?.session.marker ?? ''

/** The toast that a redirect left for this page. */
export const useFlash = () => useRouteLoaderData<typeof loader>('root')?.flash
