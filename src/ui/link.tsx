import { type ComponentProps, createContext, useContext } from 'react'
import { Link as RouterLink } from 'react-router'
import { withProject } from '../projects/rules/homes.ts'

/** The project that a customer's page is about, where they have several: its links and forms lead to the same one. */
export const AboutProject = createContext<string | null>(null)

/** What gives an address of the customer's the project that the page is about. */
export function useWithProject(): (to: string) => string {
  const projectId = useContext(AboutProject)
  return (to) => withProject(to, projectId)
}

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
  const here = useWithProject()
  return <Element {...rest} to={typeof to === 'string' ? here(to) : to} />
}
