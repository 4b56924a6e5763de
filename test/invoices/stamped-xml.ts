/** A stamped CFDI as an object in the words of Anexo 20: text is an attribute, all else an element. */
export type Stamp = { [name: string]: unknown }

export const cfdi = 'http://www.sat.gob.mx/cfd/4'
export const tfd = 'http://www.sat.gob.mx/TimbreFiscalDigital'

/** A stamped CFDI 4.0; the seals are no real ones. */
export function stampedXml({ Pagos, ...charged }: Stamp, uuid: string): string {
  const { attributes, children } = partsOf('cfdi', charged)
  return `<?xml version="1.0" encoding="UTF-8"?>
<cfdi:Comprobante xmlns:cfdi="${cfdi}" xmlns:pago20="http://www.sat.gob.mx/Pagos20" Sello="c2VsbG8="${attributes}>
  ${children}
  <cfdi:Complemento>${Pagos ? element('pago20', 'Pagos', Pagos) : ''}
    <tfd:TimbreFiscalDigital xmlns:tfd="${tfd}" UUID="${uuid}" SelloCFD="c2VsbG8="/>
  </cfdi:Complemento>
</cfdi:Comprobante>`
}

function element(prefix: string, name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const one = name.replace(/^(Concepto|Traslado)s/, '$1')
    const all = value.map((each) => element(prefix, one, each)).join('')
    return one === name ? all : `<${prefix}:${name}>${all}</${prefix}:${name}>`
  }
  if (typeof value === 'string') return `<${prefix}:CfdiRelacionado UUID="${value}"/>`
  const { attributes, children } = partsOf(prefix, value as Stamp)
  return `<${prefix}:${name}${attributes}>${children}</${prefix}:${name}>`
}

function partsOf(prefix: string, value: Stamp) {
  const entries = Object.entries(value)
  const attributes = entries.flatMap(([name, text]) =>
    typeof text === 'string' ? ` ${name}="${text.replaceAll('&', '&amp;')}"` : [],
  )
  const children = entries.flatMap(([name, part]) =>
    typeof part === 'object' ? element(prefix, name, part) : [],
  )
  return { attributes: attributes.join(''), children: children.join('\n') }
}
