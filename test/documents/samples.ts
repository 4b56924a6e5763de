/** A PDF as small as they come; whatever stands in `inside` is an object of it. */
export const pdf = (inside = '') =>
  Buffer.from(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R${inside ? '/OpenAction 4 0 R' : ''}>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>> endobj
${inside && `4 0 obj ${inside} endobj\n`}trailer <</Root 1 0 R>>
%%EOF
`)

/** A script that a reader runs when it opens it. */
export const pdfWithScript = pdf('<</S/JavaScript/JS(app.alert(document.cookie))>>')

export const xml = '<?xml version="1.0" encoding="UTF-8"?>\n<cfdi:Comprobante Version="4.0"/>'

export const fileOf = (bytes: Uint8Array | string, name: string, type = 'application/pdf') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
