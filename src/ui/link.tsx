import { type ComponentProps, createContext, useContext } from 'react'
import { Link as RouterLink } from 'react-router'

/** What the addresses of a page's links and forms become, such as that they name what the page is about. */
export const LinkAddress = createContext((to: string) => to)

export const useLinkAddress = () => useContext(LinkAddress)

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

/** A browser takes the same element over with React Router's link. */
const Element = import.meta.env.SSR ? LinkElement : RouterLink

/** A link to a screen. */
export function Link({ to, ...rest }: LinkProps) {
  const here = useLinkAddress()
  return <Element {...rest} to={typeof to === 'string' ? here(to) : to} />
}
