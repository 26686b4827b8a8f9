/** Follows the page's colour scheme. Green: company and server proven. Blue: company only. */
export const badgeStyle = `
:host { display: inline-block; max-width: 100%; vertical-align: middle; }
:host([hidden]) { display: none; }
.badge {
  display: inline-block; box-sizing: border-box; max-width: 100%;
  padding: 4px 8px; border: 1px solid; border-inline-start-width: 4px; border-radius: 3px;
  font: 400 13px/1.4 system-ui, sans-serif; text-align: start; text-decoration: none; overflow-wrap: anywhere;
  color: light-dark(#14191f, #e9ecee); background: light-dark(#ffffff, #171d23); border-color: light-dark(#515a63, #a3acb4);
}
.badge[data-state=verified] { border-color: light-dark(#17673f, #7fcba0); }
.badge[data-state=company-only] { border-color: light-dark(#1b4da0, #93b8f5); }
.badge[data-state=not-verified] { border-color: light-dark(#a6271d, #f2988e); }
.badge:is([data-state=could-not-check], [data-why=provider_unverified], [data-why=mistyped], [data-why=malformed], [data-why=foreign]) { border-color: light-dark(#845000, #e8b45c); }
.badge:focus-visible { outline: 2px solid light-dark(#1b4da0, #93b8f5); outline-offset: 2px; }
strong { font-weight: 600; }
a .rest { text-decoration: underline; text-underline-offset: 2px; }
`
