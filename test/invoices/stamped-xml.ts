/** What a stamped CFDI says, for XML as those who stamp write it. */
export type Stamp = {
  type: string
  total: string
  issuer: string
  receiver: string
  uuid: string
  currency?: string
  version?: string
  /** Of a payment complement: what was paid, and of which invoice. */
  paid?: { amount: string; of: string }
  /** Of a credit note. */
  credits?: string
}

export const cfdi = 'http://www.sat.gob.mx/cfd/4'
export const tfd = 'http://www.sat.gob.mx/TimbreFiscalDigital'

/** A stamped CFDI 4.0 with what is read of it; the seals are no real ones. */
export const stampedXml = ({
  currency = 'MXN',
  version = '4.0',
  ...stamp
}: Stamp) => `<?xml version="1.0" encoding="UTF-8"?>
<cfdi:Comprobante xmlns:cfdi="${cfdi}" xmlns:pago20="http://www.sat.gob.mx/Pagos20" Version="${version}" Sello="c2VsbG8=" Moneda="${currency}" Total="${stamp.total}" TipoDeComprobante="${stamp.type}">
  ${stamp.credits ? `<cfdi:CfdiRelacionados TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${stamp.credits}"/></cfdi:CfdiRelacionados>` : ''}
  <cfdi:Emisor Rfc="${escaped(stamp.issuer)}"/>
  <cfdi:Receptor Rfc="${escaped(stamp.receiver)}"/>
  <cfdi:Complemento>${stamp.paid ? paidPart(stamp.paid) : ''}
    <tfd:TimbreFiscalDigital xmlns:tfd="${tfd}" UUID="${stamp.uuid}" SelloCFD="c2VsbG8="/>
  </cfdi:Complemento>
</cfdi:Comprobante>`

const paidPart = ({ amount, of }: { amount: string; of: string }) =>
  `<pago20:Pagos><pago20:Totales MontoTotalPagos="${amount}"/><pago20:Pago><pago20:DoctoRelacionado IdDocumento="${of}"/></pago20:Pago></pago20:Pagos>`

const escaped = (text: string) => text.replaceAll('&', '&amp;')
