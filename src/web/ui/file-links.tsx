import { Download } from 'lucide-react'

/** The field of an address that asks for a table as an Excel file instead of CSV. */
export const fileFormat = { name: 'formato', excel: 'excel' } as const

type FileLinksProps = {
  /** The address of the CSV file. */
  to: string
  /** What is exported, where a page has several tables. */
  of?: string
  className: string
}

/** The two links that download a table. */
export const FileLinks = ({ className, of, to }: FileLinksProps) => {
  const excel = `${to}${to.includes('?') ? '&' : '?'}${fileFormat.name}=${fileFormat.excel}`
  return [
    { label: 'Excel', href: excel },
    { label: 'CSV', href: to },
  ].map(({ href, label }) => (
    <a key={label} className={className} href={href} download>
      <Download aria-hidden className="size-5 shrink-0" />
      <span className="sr-only">Exportar </span>
      {label}
      {of && <span className="sr-only"> de {of.toLowerCase()}</span>}
    </a>
  ))
}
