import { createContext, useContext } from 'react'

/** The product's name, for titles. */
export const Brand = createContext('')

/** What the browser's tab shows: the screen, then the product. React moves it to the head. */
export function PageTitle({ children }: { children: string }) {
  const brand = useContext(Brand)
  return <title>{brand ? `${children} · ${brand}` : children}</title>
}
