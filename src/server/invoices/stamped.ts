import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Stamped } from '../../domain/invoices/cfdi-amounts.ts'

const namespaces = {
  cfdi: 'http://www.sat.gob.mx/cfd/4',
  stamp: 'http://www.sat.gob.mx/TimbreFiscalDigital',
  payments: 'http://www.sat.gob.mx/Pagos20',
}
const folioFiscal = /^[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}$/
/** Far more than an invoice of ours takes. */
const largest = 512 * 1024

/** An element with its namespace resolved, as CFDI is read: by namespace, whatever the prefix. */
type Element = { name: string; attributes: Readonly<Record<string, string>>; children: readonly Element[] }

/** What a file says that should be a stamped CFDI 4.0, or why it is none, in words. */
export function readStamped(bytes: Uint8Array): Stamped | { wrong: string } {
  const root = documentIn(bytes)
  if (typeof root === 'string') return { wrong: root }
  const { attributes } = root
  if (root.name !== `${namespaces.cfdi} Comprobante` || attributes.Version !== '4.0')
    return { wrong: 'Este XML no es un CFDI 4.0. Sube el que te dio quien timbra.' }
  const stamps = below(root, namespaces.cfdi, 'Complemento').flatMap((one) =>
    below(one, namespaces.stamp, 'TimbreFiscalDigital'),
  )
  const [stamp, ...others] = stamps
  const uuid = stamp?.attributes.UUID?.toUpperCase() ?? ''
  if (!stamp || others.length > 0 || !folioFiscal.test(uuid))
    return { wrong: 'Este CFDI no está timbrado: le falta el timbre fiscal con su folio.' }
  if (stamp.attributes.SelloCFD !== attributes.Sello || !attributes.Sello)
    return { wrong: 'El timbre de este XML es de otro comprobante.' }
  const [issuer] = below(root, namespaces.cfdi, 'Emisor')
  const [receiver] = below(root, namespaces.cfdi, 'Receptor')
  return {
    type: attributes.TipoDeComprobante ?? '',
    currency: attributes.Moneda ?? '',
    issuer: issuer?.attributes.Rfc ?? '',
    receiver: receiver?.attributes.Rfc ?? '',
    ...paidOrTotal(root),
    uuid,
  }
}

/** A payment complement's total is always zero: what it is about stands in its own part. */
function paidOrTotal(root: Element): Pick<Stamped, 'amount' | 'relatesTo'> {
  if (root.attributes.TipoDeComprobante !== 'P')
    return {
      amount: root.attributes.Total ?? '',
      relatesTo: below(root, namespaces.cfdi, 'CfdiRelacionados')
        .flatMap((one) => below(one, namespaces.cfdi, 'CfdiRelacionado'))
        .map(({ attributes }) => attributes.UUID ?? ''),
    }
  const part = (of: readonly Element[], name: string) =>
    of.flatMap((one) => below(one, namespaces.payments, name))
  const whole = part(below(root, namespaces.cfdi, 'Complemento'), 'Pagos')
  return {
    amount: part(whole, 'Totales')[0]?.attributes.MontoTotalPagos ?? '',
    relatesTo: part(part(whole, 'Pago'), 'DoctoRelacionado').map(
      ({ attributes }) => attributes.IdDocumento ?? '',
    ),
  }
}

const below = ({ children }: Element, namespace: string, name: string) =>
  children.filter((child) => child.name === `${namespace} ${name}`)

const unreadable = 'Este XML no se puede leer. Sube el que te dio quien timbra, sin abrirlo ni cambiarlo.'

// Texts and prefixes stay as they are written: an RFC may be all digits for a parser, and names are resolved below.
const parser = new XMLParser({
  ...{ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '', ignoreDeclaration: true },
  ...{ ignorePiTags: true, parseTagValue: false, parseAttributeValue: false, maxNestedTags: 40 },
})

/** The root of a document, or why there is none. Whatever declares something of its own is refused before it is read. */
function documentIn(bytes: Uint8Array): Element | string {
  if (bytes.byteLength > largest) return 'Este XML pesa demasiado para ser una factura nuestra.'
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (/<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(text)) return unreadable
    if (XMLValidator.validate(text) !== true) return unreadable
    const nodes = (parser.parse(text) as Node[]).filter((node) => nameOf(node) !== '#text')
    return nodes.length === 1 ? resolved(nodes[0]!, {}) : unreadable
  } catch {
    return unreadable
  }
}

type Node = Record<string, unknown> & { ':@'?: Record<string, string> }
const nameOf = (node: Node) => Object.keys(node).find((key) => key !== ':@') ?? '#text'

function resolved(node: Node, outer: Readonly<Record<string, string>>): Element {
  const name = nameOf(node)
  const attributes = node[':@'] ?? {}
  const declared = Object.entries(attributes).flatMap(([key, value]) =>
    key === 'xmlns' ? [['', value]] : key.startsWith('xmlns:') ? [[key.slice(6), value]] : [],
  )
  const scope = { ...outer, ...(Object.fromEntries(declared) as Record<string, string>) }
  const [prefix, local] = name.includes(':') ? (name.split(':', 2) as [string, string]) : ['', name]
  const children = (node[name] as Node[]).filter((child) => nameOf(child) !== '#text')
  return {
    name: `${Object.hasOwn(scope, prefix) ? scope[prefix] : ''} ${local}`,
    attributes,
    children: children.map((child) => resolved(child, scope)),
  }
}
