import { useSite } from '../site.ts'

/** Each as tall as a thumb. */
const linkClass = 'inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink lg:min-h-0'

/** Privacy notice and terms, which are elsewhere, the company's legal line, and the year (specification §1). */
export function Footer() {
  const site = useSite()
  if (!site) return null
  return (
    <footer className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm/6 text-mute">
      <a href={site.privacyUrl} rel="noreferrer" className={linkClass}>
        Aviso de privacidad
      </a>
      <a href={site.termsUrl} rel="noreferrer" className={linkClass}>
        Términos y condiciones
      </a>
      <p>{site.legalLine}</p>
      <p>© 2025</p>
    </footer>
  )
}
