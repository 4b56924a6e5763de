import { useSite } from '../../lib/site.ts'

const linkClass = 'inline-block underline underline-offset-2 hover:text-ink'

/** Privacy notice and terms, which are elsewhere, the company's legal line, and the year (specification §1). */
export function Footer() {
  const site = useSite()
  if (!site) return null
  return (
    <footer className="flex flex-wrap gap-x-5 gap-y-1 text-sm/6 text-mute">
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
