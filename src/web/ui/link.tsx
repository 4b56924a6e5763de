import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'react-router'

type LinkProps = ComponentProps<typeof RouterLink>

/**
 * The element alone. React Router's link resolves its address against the matched routes, by a JSON text of them for each
 * link; on the server that is a tenth of a list, for the address that was given.
 */
function LinkElement(props: LinkProps) {
  const { to, discover = 'render', prefetch, relative, reloadDocument, ...plain } = props
  const { replace, state, mask, preventScrollReset, viewTransition, defaultShouldRevalidate, ...rest } = plain
  if (typeof to !== 'string' || !/^\/(?!\/)/.test(to) || mask) return <RouterLink {...props} />
  return <a {...rest} href={to} data-discover={discover === 'render' ? 'true' : undefined} />
}

/** A link to a screen. A browser takes the same element over with React Router's link. */
export const Link: typeof RouterLink = import.meta.env.SSR ? (LinkElement as typeof RouterLink) : RouterLink
