import { useRouteLoaderData } from 'react-router'
import type { Site } from '../app/env.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import type { Flash } from './schema.ts'

/** What the root's loader answers for every page. `endsAt`: when the session ends, in milliseconds since 1970. */
export type RootData = {
  site: Pick<Site, 'brand' | 'host' | 'legalLine' | 'privacyUrl' | 'termsUrl' | 'modules'> &
    Pick<Settings, 'support'>
  flash: Flash | null
  requestId: string
  /** Whether this device asked for high contrast. */
  contrast: boolean
  session: { marker: string; endsAt: number | null; syncPath: string | null }
}

const useRootData = () => useRouteLoaderData<RootData>('root')

/** What every page knows of the operator; undefined only when even that could not be read. */
export const useSite = () => useRootData()?.site

/** The number of the request that made this page, for a person to quote. */
export const useRequestId = () => useRootData()?.requestId

/** The marker of the session that this page was made for. */
export const useMarker = () => useRootData()?.session.marker ?? ''

/** Whether this device shows everything in high contrast. */
export const useHasContrast = () => useRootData()?.contrast ?? false

/** The toast that a redirect left for this page. */
export const useFlash = () => useRootData()?.flash
